import { sql } from 'drizzle-orm';
import type {
  DrilledCharge,
  DrilledRequests,
  InstanceLatency,
  ProviderSums,
  RefusalCount,
} from '#domain/request-log/log-rows.ts';
import type { RefusalRange } from '#domain/request-log/tenant-log.ts';
import { chooseUsage, tokens } from './conditions.ts';
import type { LogAccess } from './lists.ts';
import { readFloor, readProviderNames } from './names.ts';
import { floorOf, msOf, toRowId } from './row-id.ts';

const msOfRow = 'toUInt64(bitShiftRight(id, 80))';

export async function countRefusals({ tx, rows }: LogAccess, range: RefusalRange): Promise<RefusalCount[]> {
  const days = await readDayStarts(range, tx);
  const { sql: ofUsage, params } = chooseUsage(range);
  const counted = await rows.read<{ start: string; reason: string; count: string; rows: string }>(
    `SELECT roundDown(${msOfRow}, {starts:Array(UInt64)}) AS start, coalesce(error_code, 'refused') AS reason,
       sum(repeats) AS count, count() AS rows
     FROM request_logs
     WHERE status = 'refused' AND id >= {from:UInt128} AND id < {end:UInt128} AND ${ofUsage}
     GROUP BY start, reason ORDER BY count DESC, start, reason`,
    { ...params, starts: [...days.keys()], from: toRowId(days.from), end: toRowId(days.end) },
  );
  return counted.map(({ start, reason, ...row }) => ({
    date: days.dates.get(Number(start)) ?? '',
    reason,
    count: Number(row.count),
    rows: Number(row.rows),
  }));
}

/**
 * Returns the bounds of the range and a map from the first millisecond of each day to its date, computed with
 * PostgreSQL's time zones.
 */
async function readDayStarts({ firstDay, lastDay, timeZone, from, end }: RefusalRange, tx: LogAccess['tx']) {
  const { rows } = await tx.execute<{ date: string; start: string }>(sql`
    SELECT day::date::text AS date, uuid_floor(day AT TIME ZONE ${timeZone})::text AS start
    FROM generate_series(${firstDay}::timestamp, ${lastDay}::timestamp, '1 day') day ORDER BY day`);
  const dates = new Map(rows.map(({ date, start }) => [msOf(toRowId(start)), date]));
  return {
    dates,
    keys: () => dates.keys(),
    from: await readFloor(tx, sql`${from}::timestamptz`),
    end: await readFloor(tx, sql`${end}::timestamptz`),
  };
}

export async function selectLatencies({ tx, rows }: LogAccess, rowsMax: number): Promise<InstanceLatency[]> {
  const since = await readFloor(tx, sql`now() - interval '24 hours'`);
  const measured = await rows.read<{ id: number; last: string; p50: number; p95: number }>(
    `SELECT llm_provider_id AS id, toUnixTimestamp64Micro(max(received_at)) AS last,
       quantileExactInclusive(0.5)(toFloat64(response_time_ms)) AS p50,
       quantileExactInclusive(0.95)(toFloat64(response_time_ms)) AS p95
     FROM (
       SELECT llm_provider_id, received_at, response_time_ms, status FROM request_logs
       WHERE id >= {since:UInt128} ORDER BY tenant_id DESC, id DESC LIMIT ${rowsMax}
     )
     WHERE status = 'success' AND llm_provider_id IS NOT NULL GROUP BY llm_provider_id`,
    { since: toRowId(since) },
  );
  return measured.map(({ last, ...row }) => ({ ...row, lastSuccessAt: formatMicros(last) }));
}

/** Formats a timestamp like PostgreSQL, without trailing zeros in the fraction of a second. */
function formatMicros(micros: string): string {
  const [second] = new Date(Number(micros) / 1000).toISOString().split('.');
  const fraction = micros.slice(-6).replace(/0+$/, '');
  return `${second}${fraction === '' ? '' : `.${fraction}`}Z`;
}

export async function sumByProvider({ tx, rows }: LogAccess, days: number): Promise<ProviderSums[]> {
  const since = await readFloor(tx, sql`now() - make_interval(days => ${days}::integer)`);
  const names = await readProviderNames(tx);
  const sums = await rows.read<Omit<ProviderSums, 'providerName'>>(
    `SELECT provider_key AS "providerKey", toString(count()) AS requests, toString(sum(${tokens})) AS tokens,
       toString(coalesce(sumIf(cost_nano_usd, NOT is_service_managed), 0)) AS self,
       toString(coalesce(sumIf(cost_nano_usd, is_service_managed), 0)) AS service
     FROM request_logs WHERE status <> 'refused' AND id >= {since:UInt128}
     GROUP BY provider_key ORDER BY coalesce(sum(cost_nano_usd), 0) DESC, provider_key NULLS LAST`,
    { since: toRowId(since) },
  );
  return sums.map((row) => ({
    ...row,
    providerName: row.providerKey === null ? null : (names.get(row.providerKey) ?? null),
  }));
}

/** Skips requests that were rejected before they were sent to the provider. */
const ofInstance = "id >= {since:UInt128} AND llm_provider_id = {instance:Int32} AND status <> 'refused'";
const instanceParams = (llmProviderId: number, since: Date) => ({
  since: floorOf(since.getTime()),
  instance: llmProviderId,
});

export async function countDrilled(
  { rows }: LogAccess,
  llmProviderId: number,
  since: Date,
  rowsMax: number,
): Promise<number> {
  return countUpTo({ rows }, ofInstance, instanceParams(llmProviderId, since), rowsMax);
}

export async function selectDrilled(
  { rows }: LogAccess,
  llmProviderId: number,
  since: Date,
  rowsMax: number,
): Promise<DrilledRequests[]> {
  type Charged = [
    input: number,
    cacheRead: number,
    cacheWrite: number,
    output: number,
    reasoning: number,
    cost: string,
  ];
  const groups = await rows.read<
    Omit<DrilledRequests, 'requests' | 'charged'> & { requests: string; charged: Charged[] }
  >(
    `SELECT user_id AS "userId", model_requested AS "modelRequested", model, operation, count() AS requests,
       groupArrayIf((toInt32(prompt_tokens - cache_read_tokens - cache_write_tokens), cache_read_tokens, cache_write_tokens,
         completion_tokens, reasoning_tokens, toString(assumeNotNull(cost_nano_usd))), cost_nano_usd IS NOT NULL) AS charged
     FROM (
       SELECT user_id, model_requested, model, operation, prompt_tokens, cache_read_tokens, cache_write_tokens,
         completion_tokens, reasoning_tokens, cost_nano_usd
       FROM request_logs WHERE ${ofInstance} ORDER BY tenant_id DESC, id DESC LIMIT ${rowsMax}
     )
     GROUP BY user_id, model_requested, model, operation`,
    instanceParams(llmProviderId, since),
  );
  return groups.map(({ requests, charged, ...group }) => ({
    ...group,
    requests: Number(requests),
    charged: charged.map(
      ([input, cacheRead, cacheWrite, output, reasoning, cost]): DrilledCharge => ({
        ...{ input, cacheRead, cacheWrite, output, reasoning, cost },
      }),
    ),
  }));
}

export function countOldRows({ rows }: LogAccess, before: Date, countMax: number): Promise<number> {
  return countUpTo({ rows }, 'id < {before:UInt128}', { before: floorOf(before.getTime()) }, countMax);
}

export function countOldBodies(
  { rows }: LogAccess,
  [from, before]: readonly [from: Date, before: Date],
  countMax: number,
): Promise<number> {
  return countUpTo(
    { rows },
    'id >= {from:UInt128} AND id < {before:UInt128} AND prompt_privacy IS NOT NULL',
    { from: floorOf(from.getTime()), before: floorOf(before.getTime()) },
    countMax,
  );
}

async function countUpTo(
  { rows }: Pick<LogAccess, 'rows'>,
  condition: string,
  params: Readonly<Record<string, bigint | number>>,
  countMax: number,
): Promise<number> {
  const [found] = await rows.read<{ total: string }>(
    `SELECT count() AS total FROM (SELECT id FROM request_logs WHERE ${condition} LIMIT ${countMax})`,
    params,
  );
  return Number(found?.total ?? 0);
}
