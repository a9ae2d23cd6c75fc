import { type LogTotals, toUsd } from '@sluice/contract';
import type { LogTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import type { ChosenRows } from '#domain/request-log/chosen-rows.ts';
import { chooseRows, type LogFilters, withinTime } from './chosen-rows.ts';

const rowsMax = 1_000_000;

export async function getLogTotals(
  tx: LogTransaction,
  { tenantId }: Principal,
  filters: LogFilters,
): Promise<LogTotals> {
  return readTotals(tx, await chooseRows(tx, tenantId, filters));
}

/** Only includes the newest million matching rows. */
export async function readTotals(tx: LogTransaction, chosen: ChosenRows): Promise<LogTotals> {
  const { requests, tokens, cost, isExact } = await withinTime(tx, () =>
    tx.requestLog.sumRows(chosen, rowsMax),
  );
  return { requests, total_tokens: tokens, cost_usd: toUsd(BigInt(cost)), is_exact: isExact };
}
