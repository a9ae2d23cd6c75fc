import type { RoleName } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';

/** Requests with the same target selection: same user, model name and operation. */
export interface DrilledRequests {
  readonly userId: number | null;
  readonly modelRequested: string | null;
  readonly model: string | null;
  readonly operation: string;
  readonly requests: number;
  /** Tokens and cost in nano-dollars of each request, in the same order; `null` if nothing was charged. */
  readonly charged: readonly DrilledCharge[];
}

export interface DrilledCharge {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
  readonly cost: string;
}

/** Maximum number of rows of the hour that are simulated. */
export const drilledRowsMax = 5_000;
/** Maximum number of rows of the hour that are counted. */
const countedRowsMax = 200_000;
const statementMs = 5_000;

/** Uses the index of the tenant's rows; skips requests that were rejected before they were sent. */
const ofHour = (tenantId: number, id: number, since: Date) => sql`
  tenant_id = ${tenantId} AND id >= uuid_floor(${since.toISOString()}::timestamptz) AND llm_provider_id = ${id}
  AND status <> 'refused'`;

export async function limitStatements(tx: TenantTransaction): Promise<void> {
  await tx.execute(sql`SELECT set_config('statement_timeout', ${String(statementMs)}, true)`);
}

/** Counts up to 200,000. */
export async function countDrilled(
  tx: TenantTransaction,
  tenantId: number,
  id: number,
  since: Date,
): Promise<number> {
  const { rows } = await tx.execute<{ total: number }>(sql`
    SELECT count(*)::int AS total FROM (
      SELECT FROM request_logs WHERE ${ofHour(tenantId, id, since)} LIMIT ${countedRowsMax}
    ) counted`);
  return rows[0]?.total ?? 0;
}

/** Returns the latest requests of an instance. */
export async function selectDrilled(
  tx: TenantTransaction,
  tenantId: number,
  id: number,
  since: Date,
): Promise<DrilledRequests[]> {
  const { rows } = await tx.execute<DrilledRequests & Record<string, unknown>>(sql`
    SELECT user_id AS "userId", model_requested AS "modelRequested", model, operation, count(*)::int AS requests,
      coalesce(json_agg(json_build_object('input', prompt_tokens - cache_read_tokens - cache_write_tokens, 'cacheRead', cache_read_tokens,
        'cacheWrite', cache_write_tokens, 'output', completion_tokens, 'reasoning', reasoning_tokens,
        'cost', cost_nano_usd::text)) FILTER (WHERE cost_nano_usd IS NOT NULL), '[]') AS charged
    FROM (
      SELECT * FROM request_logs WHERE ${ofHour(tenantId, id, since)} ORDER BY id DESC LIMIT ${drilledRowsMax}
    ) latest
    GROUP BY user_id, model_requested, model, operation`);
  return rows;
}

/** Returns all users of the tenant by id; those who may not send requests have no role. */
export async function selectSenders(tx: TenantTransaction, tenantId: number) {
  const { rows } = await tx.execute<{ id: number; name: string; role: RoleName | null }>(sql`
    SELECT u.id, u.name, CASE WHEN u.is_active AND NOT u.is_blocked THEN r.name END AS role
    FROM users u JOIN roles r ON r.id = u.role_id WHERE u.tenant_id = ${tenantId}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns whether the tenant may spend credits, and the markup. */
export async function findSpending(tx: TenantTransaction, tenantId: number) {
  const { rows } = await tx.execute<{ isAllowed: boolean; markupPercent: number }>(sql`
    SELECT t.is_service_spending_allowed AS "isAllowed", s.markup_percentage::float8 AS "markupPercent"
    FROM tenants t, platform_settings s WHERE t.id = ${tenantId}`);
  return rows[0] ?? { isAllowed: false, markupPercent: 0 };
}
