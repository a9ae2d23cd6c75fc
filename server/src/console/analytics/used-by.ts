import { type SQL, sql } from 'drizzle-orm';
import { filterLabel, filterUsage } from '#db/filter-usage.ts';
import type { UsageFilters } from '#domain/usage-filters.ts';
import type { DayRange } from './range.ts';

type Dimension =
  | 'intent'
  | 'provider_key'
  | 'model'
  | 'llm_provider_id'
  | 'team_id'
  | 'task_id'
  | 'api_key_id';

/**
 * Groupings of the daily sums in `usage_days`, smallest first, with the dimensions that each has in addition to day
 * and user.
 */
const groupings: Readonly<Record<string, readonly Dimension[]>> = {
  team: ['team_id', 'task_id', 'api_key_id'],
  model: ['provider_key', 'model', 'llm_provider_id'],
  intent: ['intent'],
  all: ['intent', 'provider_key', 'model', 'llm_provider_id', 'team_id', 'task_id', 'api_key_id'],
};

/**
 * Returns a FROM clause that selects usage by day, user and dimensions, with the filters of the range. Days before
 * `firstWholeDay`, which are incomplete after a time zone change, are summed from the 15-minute rollups.
 */
export function usedBy(dimensions: readonly Dimension[], range: DayRange): SQL {
  if (range.label) return labeledBy(range);
  const { tenantId, firstWholeDay, lastDay, from, wholeFrom } = range;
  const needed = [...dimensions, ...filteredDimensions(range)];
  const [grouping = 'all'] =
    Object.entries(groupings).find(([, held]) => needed.every((one) => held.includes(one))) ?? [];
  const chosen = filterUsage(range);
  const ofDays = sql`SELECT day, user_id, intent, provider_key, model, llm_provider_id, team_id, task_id, api_key_id, requests,
      tokens, user_llm_nano_usd, company_llm_nano_usd, scored_requests, score_sum, last_received_at
    FROM usage_days WHERE tenant_id = ${tenantId} AND grouped_by = ${grouping}
      AND day BETWEEN ${firstWholeDay}::date AND ${lastDay}::date AND requests > 0 ${chosen}`;
  const ofRollups = sql`SELECT ${dayOf(range)}, user_id, intent, provider_key, model, llm_provider_id, team_id, task_id, api_key_id,
      requests, input_tokens + cache_read_tokens + cache_write_tokens + output_tokens, user_llm_nano_usd, company_llm_nano_usd,
      scored_requests, score_sum, coalesce(last_received_at, bucket_start)
    FROM usage_rollups WHERE tenant_id = ${tenantId}
      AND bucket_start >= ${from}::timestamptz AND bucket_start < ${wholeFrom}::timestamptz AND requests > 0 ${chosen}`;
  return from === wholeFrom ? sql`FROM (${ofDays}) used` : sql`FROM (${ofDays} UNION ALL ${ofRollups}) used`;
}

/** Returns a FROM clause like `usedBy`, but only for requests with labels, which have no daily sums. */
export function labeledBy(range: DayRange): SQL {
  const { tenantId, from, end } = range;
  return sql`FROM (SELECT ${dayOf(range)} AS day, user_id, intent, provider_key, model, llm_provider_id, team_id, task_id, api_key_id,
      labels, requests, tokens, user_llm_nano_usd, company_llm_nano_usd, scored_requests, score_sum,
      coalesce(last_received_at, bucket_start) AS last_received_at
    FROM labeled_usage WHERE tenant_id = ${tenantId}
      AND bucket_start >= ${from}::timestamptz AND bucket_start < ${end}::timestamptz
      ${filterUsage(range)}${filterLabel(range)}) used`;
}

/** The first instant of each day is computed only once, because converting the time zone per row is slow. */
const dayOf = ({
  firstDay,
  lastDay,
  timeZone,
}: DayRange) => sql`${firstDay}::date - 1 + width_bucket(bucket_start, (
  SELECT array_agg(day AT TIME ZONE ${timeZone} ORDER BY day)
  FROM generate_series(${firstDay}::timestamp, ${lastDay}::timestamp, '1 day') day
))`;

function filteredDimensions(filters: UsageFilters): Dimension[] {
  const isFiltered: Partial<Record<Dimension, boolean>> = {
    team_id: filters.teamIds !== undefined,
    task_id: filters.taskId !== undefined,
    api_key_id: filters.apiKeyIds !== undefined,
    model: filters.model !== undefined,
    provider_key: filters.providerKey !== undefined,
  };
  // safe because the keys come from the object above
  return (Object.keys(isFiltered) as Dimension[]).filter((name) => isFiltered[name]);
}
