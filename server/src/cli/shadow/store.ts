import { type ShadowSource, shadowRunsMax } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import { shadowRequests } from '#db/schema/shadow-runs.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { AllowanceKey } from '#gateway/allowance/lease-queries.ts';
import type { FindAllowance } from '#gateway/shadow/memory-allowances.ts';

export type ShadowRow = Omit<Required<typeof shadowRequests.$inferInsert>, 'tenantId' | 'runId'>;

interface NewRun {
  readonly tenantId: number;
  readonly name: string;
  readonly source: ShadowSource;
  readonly comparedWith: string | null;
}

/** Inserts a run, deletes the oldest runs beyond the maximum, and returns the id of the new run. */
export async function insertRun(tx: SystemDatabase, run: NewRun): Promise<number> {
  const { comparedWith, name, source, tenantId } = run;
  await tx.execute(sql`DELETE FROM shadow_runs WHERE id IN (
    SELECT id FROM shadow_runs WHERE tenant_id = ${tenantId} ORDER BY id DESC OFFSET ${shadowRunsMax - 1})`);
  const { rows } = await tx.execute<{ id: number }>(sql`
    INSERT INTO shadow_runs (tenant_id, name, source, compared_with)
    VALUES (${tenantId}, ${name}, ${source}, ${comparedWith}) RETURNING id`);
  if (!rows[0]) throw new Error('the insert returned no row');
  return rows[0].id;
}

/** @throws Error if the run has been deleted */
export async function insertRequests(
  system: SystemDatabase,
  { runId, tenantId }: { readonly runId: number; readonly tenantId: number },
  requests: readonly ShadowRow[],
): Promise<void> {
  if (requests.length === 0) return;
  await system.transaction(async (tx) => {
    const { rows } = await tx.execute(sql`SELECT FROM shadow_runs WHERE id = ${runId} FOR KEY SHARE`);
    if (rows.length === 0) throw new Error('The run was deleted in the console, so this command stopped.');
    await tx.insert(shadowRequests).values(requests.map((row) => ({ ...row, runId, tenantId })));
  });
}

export async function endRun(tx: SystemDatabase, id: number): Promise<void> {
  await tx.execute(sql`UPDATE shadow_runs SET ended_at = now() WHERE id = ${id}`);
}

interface StoredAllowance extends Record<string, unknown> {
  readonly kind: string;
  readonly subjectId: number;
  /** `null` if there is no window. */
  readonly windowStartMs: number | null;
  readonly limit: string | null;
  readonly settled: string;
}

/**
 * Limits without a window, such as credits, start with their current usage. Other limits do so only if `continues`,
 * since their current usage may already include the recorded requests.
 */
export async function readAllowances(
  system: SystemDatabase,
  tenantId: number,
  continues: boolean,
): Promise<FindAllowance> {
  const { rows: stored } = await system.execute<StoredAllowance>(sql`
    SELECT kind, subject_id AS "subjectId", limit_amount AS "limit", settled,
      CASE WHEN isfinite(window_start) THEN (extract(epoch FROM window_start) * 1000)::float8 END AS "windowStartMs"
    FROM allowances WHERE tenant_id = ${tenantId}`);
  const { rows: limits } = await system.execute<{
    kind: string;
    subjectId: number;
    limit: string | null;
  }>(sql`
    SELECT quota.kind, u.id AS "subjectId", quota.amount AS "limit" FROM users u, LATERAL (VALUES
      ('requests_per_hour', u.requests_per_hour), ('tokens_per_day', u.daily_quota), ('tokens_per_month', u.monthly_quota)
    ) AS quota (kind, amount) WHERE u.tenant_id = ${tenantId}
    UNION ALL SELECT kind_of_budget(b.measure), b.id, limit_of_budget(b) FROM budgets b WHERE b.tenant_id = ${tenantId}`);
  const settled = new Map(stored.map((row) => [nameOf(row.kind, row.subjectId, row.windowStartMs), row]));
  const limitsBySubject = new Map(limits.map((row) => [nameOf(row.kind, row.subjectId, null), row]));
  return ({ kind, subjectId, windowStartMs }: AllowanceKey) => {
    const windowMs = windowStartMs === Number.NEGATIVE_INFINITY ? null : windowStartMs;
    const known = settled.get(nameOf(kind, subjectId, windowMs));
    const limited = limitsBySubject.get(nameOf(kind, subjectId, null)) ?? known;
    if (!limited) return undefined;
    const isContinued = continues || windowMs === null;
    return {
      limit: limited.limit === null ? null : Number(limited.limit),
      settled: isContinued ? Number(known?.settled ?? 0) : 0,
    };
  };
}

const nameOf = (kind: string, subjectId: number, windowStartMs: number | null) =>
  `${kind} ${subjectId} ${windowStartMs}`;
