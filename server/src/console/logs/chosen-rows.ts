import {
  admittedLogs,
  type LogQuery,
  type logFilters,
  notClassified,
  parseLogQuery,
  splitLabel,
  toNanoUsd,
} from '@sluice/contract';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { containsText } from '#db/contains-text.ts';
import { apiKeys } from '#db/schema/api-keys.ts';
import { teams } from '#db/schema/teams.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { LogTransaction, TenantTransaction } from '#db/tenant.ts';
import { containsPattern, globPattern } from '#domain/like-pattern.ts';
import type { ChosenRows } from '#domain/request-log/chosen-rows.ts';
import { ConsoleError } from '#errors/console-error.ts';

export type LogFilters = z.output<z.ZodObject<typeof logFilters>>;

/**
 * Merges the filters with those of the query line. Dates apply only if both are specified.
 * @throws ConsoleError 422 if filters overlap or are invalid
 */
export async function chooseRows(
  tx: TenantTransaction,
  tenantId: number,
  { query, start_date: from, end_date: to, ...filters }: LogFilters,
): Promise<ChosenRows> {
  const { user_id, task_id, team_id, api_key_id, by_api_key, ...asked } = merge(
    filters,
    parseLogQuery(query ?? '').filters,
  );
  const bounds = await selectIdBounds(tx, tenantId, [
    from && to ? { since: from, until: to } : {},
    { since: asked.since, until: asked.until },
  ]);
  const patternOf = (text: string | undefined) => (text ? containsPattern(text.normalize('NFC')) : undefined);
  const nanoUsdOf = (usd: number | undefined) => (usd === undefined ? undefined : String(toNanoUsd(usd)));
  const { status } = asked;
  const isUnclassified = asked.intent_classification === notClassified;
  const isGlob = asked.model?.includes('*');
  return {
    user_id,
    task_id,
    team_ids: asked.team ? await selectTeamsLike(tx, tenantId, asked.team, team_id) : team_id,
    api_key_id,
    api_key_ids: asked.key ? await selectKeysLike(tx, tenantId, asked.key) : undefined,
    by_api_key,
    user_like: patternOf(asked.user),
    task_like: patternOf(asked.task),
    status: status === admittedLogs ? undefined : status,
    is_admitted: status === admittedLogs || undefined,
    error_code: asked.error_code || undefined,
    ...chooseLabels([asked.label ?? []].flat()),
    intent: isUnclassified ? undefined : asked.intent_classification || undefined,
    is_unclassified: isUnclassified || undefined,
    model: isGlob ? undefined : asked.model || undefined,
    model_like: isGlob && asked.model ? globPattern(asked.model) : undefined,
    provider_key: asked.provider_key || undefined,
    cost_above: nanoUsdOf(asked.cost_above),
    cost_below: nanoUsdOf(asked.cost_below),
    tokens_above: asked.tokens_above,
    tokens_below: asked.tokens_below,
    response_time_above: asked.response_time_above_ms,
    response_time_below: asked.response_time_below_ms,
    search_like: patternOf(asked.search),
    id_end: asked.search && idEnd.test(asked.search) ? asked.search : undefined,
    first: bounds.first,
    end: bounds.end,
  };
}

/** A name with several values matches no request, because a label has only one value. */
function chooseLabels(given: readonly string[]): {
  labels?: Readonly<Record<string, string | string[]>>;
  label_names?: string[];
} {
  const pairs = given.map(splitLabel);
  const labels = new Map<string, string | string[]>();
  for (const { name, value } of pairs) {
    if (value === null) continue;
    const former = labels.get(name);
    labels.set(name, former === undefined || former === value ? value : [former, value].flat());
  }
  const names = pairs.filter(({ value }) => value === null).map(({ name }) => name);
  return {
    ...(labels.size > 0 && { labels: Object.fromEntries(labels) }),
    ...(names.length > 0 && { label_names: names }),
  };
}

/** Returns the ids of teams whose name contains a text. Searches all teams or only the given ones. */
async function selectTeamsLike(
  tx: TenantTransaction,
  tenantId: number,
  text: string,
  among: readonly number[] | undefined,
): Promise<number[]> {
  const rows = await tx
    .select({ id: teams.id })
    .from(teams)
    .where(
      and(
        eq(teams.tenantId, tenantId),
        containsText(text, teams.name),
        among && inArray(teams.id, [...among]),
      ),
    );
  return rows.map(({ id }) => id);
}

async function selectKeysLike(tx: TenantTransaction, tenantId: number, text: string): Promise<number[]> {
  const rows = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.tenantId, tenantId), containsText(text, apiKeys.name)));
  return rows.map(({ id }) => id);
}

const idEnd = /^[0-9a-f-]{8,36}$/i;

function merge<Filters extends object>(
  filters: Filters,
  line: LogQuery,
): Filters & Omit<LogQuery, 'label'> & { readonly label?: string | readonly string[] | undefined } {
  const isGiven = (value: unknown) => value !== undefined && value !== '';
  for (const [name, value] of Object.entries(filters)) {
    if (isGiven(value) && Object.hasOwn(line, name)) {
      const msg = `The query contains ${name}, which is also set as a filter. Remove one of them.`;
      throw new ConsoleError(422, [{ loc: ['query', 'query'], msg, type: 'value_error' }]);
    }
  }
  return { ...filters, ...line };
}

interface Bounds {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Based on the tenant's calendar. The range is open if there are no bounds. */
async function selectIdBounds(
  tx: TenantTransaction,
  tenantId: number,
  all: readonly Bounds[],
): Promise<{ first?: string; end?: string }> {
  const starts = all.flatMap(({ since }) => (since === undefined ? [] : [startOf(since)]));
  const ends = all.flatMap(({ until }) => (until === undefined ? [] : [endOf(until)]));
  if (starts.length + ends.length === 0) return {};
  const floorOf = (moments: readonly SQL[], choose: SQL) =>
    moments.length === 0
      ? sql<string | null>`NULL`
      : sql<string | null>`uuid_floor(greatest(${choose}(${sql.join([...moments], sql`, `)}), 'epoch'))`;
  const [bounds] = await tx
    .select({ first: floorOf(starts, sql`greatest`), end: floorOf(ends, sql`least`) })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return { ...(bounds?.first && { first: bounds.first }), ...(bounds?.end && { end: bounds.end }) };
}

const agoUnits: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440 };

/**
 * Returns an SQL expression for the start of a time in the search query: the start of a day or month, or an instant.
 */
function startOf(moment: string): SQL {
  const day = dayOf(moment);
  if (day) return sql`(${day})::timestamp AT TIME ZONE ${tenants.timeZone}`;
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(moment) ?? [];
  const minutes = Number(count) * (agoUnits[unit] ?? 0);
  return count === undefined
    ? sql`${instantFromEpoch(moment)}::timestamptz`
    : sql`now() - make_interval(mins => ${minutes})`;
}

/** Returns an SQL expression for the end of a time in the search query. The end includes the whole day or month. */
function endOf(moment: string): SQL {
  const day = dayOf(moment);
  const length = moment === 'month' ? sql`interval '1 month'` : sql`interval '1 day'`;
  return day ? sql`(${day} + ${length})::timestamp AT TIME ZONE ${tenants.timeZone}` : startOf(moment);
}

/** Returns an SQL expression for the first day of a time in the search query; `undefined` for an instant. */
function dayOf(moment: string): SQL | undefined {
  const today = sql`(now() AT TIME ZONE ${tenants.timeZone})::date`;
  if (moment === 'today') return today;
  if (moment === 'yesterday') return sql`(${today} - 1)`;
  if (moment === 'month') return sql`date_trunc('month', ${today})::date`;
  return /^\d{4}-\d\d-\d\d$/.test(moment) ? sql`${fromEpoch(moment)}::date` : undefined;
}

/** Limits a day to 1970 or later, because no request id is older in any time zone. */
function fromEpoch(day: string): string {
  return day < '1970-01-02' ? '1970-01-02' : day;
}

/** Converts an instant to UTC, because PostgreSQL does not accept all ISO 8601 time zone offsets. */
function instantFromEpoch(instant: string): string {
  return new Date(Math.max(0, Date.parse(instant))).toISOString();
}

const searchTimeoutMs = 10_000;

/**
 * Runs log queries with a statement timeout, so that slow queries do not affect others.
 * @throws ConsoleError 503 that explains how to narrow the query
 */
export async function withinTime<Result>(
  { requestLog }: LogTransaction,
  read: () => Promise<Result>,
): Promise<Result> {
  await requestLog.limitTime(searchTimeoutMs);
  try {
    return await read();
  } catch (error) {
    if (!requestLog.isTimeout(error)) throw error;
    throw new ConsoleError(
      503,
      'The log search took too long. Choose fewer days, or search for a longer text.',
      5,
    );
  }
}
