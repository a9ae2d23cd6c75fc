import { type LogTotals, toUsd } from '@sluice/contract';
import { sql } from 'drizzle-orm';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { type ChosenRows, chooseRows, type LogFilters, withinTime } from './chosen-rows.ts';
import { found } from './store.ts';

const rowsMax = 1_000_000;

/** Returns the sums over all requests that match the filters, the same rows as in the export. */
export async function getLogTotals(
  tx: TenantTransaction,
  { tenantId }: Principal,
  filters: LogFilters,
): Promise<LogTotals> {
  return readTotals(tx, tenantId, await chooseRows(tx, tenantId, filters));
}

/** Adds up the newest million matching rows. */
export async function readTotals(
  tx: TenantTransaction,
  tenantId: number,
  chosen: ChosenRows,
): Promise<LogTotals> {
  const { rows } = await withinTime(tx, () =>
    tx.execute<{ requests: number; tokens: number; cost: string; isExact: boolean }>(
      // The bounds restrict the join to the partitions that hold the rows.
      sql`WITH matching AS MATERIALIZED (SELECT id FROM ${found(chosen, rowsMax + 1)} id),
        newest AS MATERIALIZED (SELECT id FROM matching ORDER BY id DESC LIMIT ${rowsMax}),
        bounds AS MATERIALIZED (SELECT min(id::text)::uuid AS first, max(id::text)::uuid AS last FROM newest)
      SELECT count(*)::integer AS requests, coalesce(sum(prompt_tokens + completion_tokens), 0)::float8 AS tokens,
        coalesce(sum(cost_nano_usd), 0)::text AS cost, (SELECT count(*) <= ${rowsMax} FROM matching) AS "isExact"
      FROM request_logs JOIN newest USING (id)
      WHERE tenant_id = ${tenantId} AND id >= (SELECT first FROM bounds) AND id <= (SELECT last FROM bounds)`,
    ),
  );
  const [row] = rows;
  return {
    requests: row?.requests ?? 0,
    total_tokens: row?.tokens ?? 0,
    cost_usd: toUsd(BigInt(row?.cost ?? 0)),
    is_exact: row?.isExact ?? true,
  };
}
