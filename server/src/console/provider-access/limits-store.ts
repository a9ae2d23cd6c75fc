import { sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';
import type { AllowanceKind } from '#domain/allowance/kind.ts';
import { findWindow } from '#domain/allowance/window.ts';

/** Returns the settled usage of the limits of a user and of one of their assignments. */
export async function readSettled(
  tx: TenantTransaction,
  {
    tenantId,
    userId,
    timeZone,
    assignmentId,
  }: { tenantId: number; userId: number; timeZone: string; assignmentId: number | null },
): Promise<Map<AllowanceKind, number>> {
  const { rows: clock } = await tx.execute<{ nowMs: number }>(
    sql`SELECT floor(extract(epoch FROM now()) * 1000)::float8 AS "nowMs"`,
  );
  const isOfUser = (kind: AllowanceKind) => {
    const { startMs } = findWindow(kind, clock[0]?.nowMs ?? 0, timeZone);
    const start = new Date(startMs).toISOString();
    return sql`(kind = ${kind} AND subject_id = ${userId} AND window_start = ${start}::timestamptz)`;
  };
  const { rows } = await tx.execute<{ kind: AllowanceKind; settled: number }>(sql`
    SELECT kind, settled::float8 AS settled FROM allowances
    WHERE tenant_id = ${tenantId} AND (${isOfUser('requests_per_hour')} OR ${isOfUser('tokens_per_day')}
      OR ${isOfUser('tokens_per_month')}
      OR (kind = 'task_tokens' AND subject_id = ${assignmentId}::integer AND window_start = '-infinity'))`);
  return new Map(rows.map(({ kind, settled }) => [kind, settled]));
}
