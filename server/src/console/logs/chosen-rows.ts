import {
  admittedLogs,
  type LogQuery,
  type logFilters,
  notClassified,
  parseLogQuery,
  toNanoUsd,
} from '@sluice/contract';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { containsText } from '#db/contains-text.ts';
import { apiKeys } from '#db/schema/api-keys.ts';
import { teams } from '#db/schema/teams.ts';
import { tenants } from '#db/schema/tenants.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { containsPattern, globPattern } from '#domain/like-pattern.ts';
import { ConsoleError } from '#errors/console-error.ts';

export type LogFilters = z.output<z.ZodObject<typeof logFilters>>;

/** Filters in the form that the database function `find_request_logs` reads; absent ones do not apply. */
export type ChosenRows = Awaited<ReturnType<typeof chooseRows>>;

/**
 * Merges the filters with those of the query line, which must not overlap; dates apply only if both are given.
 * @throws ConsoleError 422 if they overlap or are invalid.
 */
export async function chooseRows(
  tx: TenantTransaction,
  tenantId: number,
  { query, start_date: from, end_date: to, ...filters }: LogFilters,
) {
  const { user_id, task_id, team_id, api_key_id, by_api_key, ...asked } = merge(
    filters,
    parseLogQuery(query ?? '').filters,
  );
  const bounds = from && to ? await selectIdBounds(tx, tenantId, from, to) : undefined;
  const patternOf = (text: string | undefined) => (text ? containsPattern(text.normalize('NFC')) : undefined);
  const nanoUsdOf = (usd: number | undefined) => (usd === undefined ? undefined : String(toNanoUsd(usd)));
  const isAdmitted = asked.status === admittedLogs;
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
    status: isAdmitted ? undefined : asked.status,
    is_admitted: isAdmitted || undefined,
    error_code: asked.error_code || undefined,
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
    first: bounds?.first,
    end: bounds?.end,
  };
}

/** Returns the ids of teams whose name contains a text, of all teams or among some. */
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

/** Returns the ids of the API keys, current and past, whose name contains a text. */
async function selectKeysLike(tx: TenantTransaction, tenantId: number, text: string): Promise<number[]> {
  const rows = await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.tenantId, tenantId), containsText(text, apiKeys.name)));
  return rows.map(({ id }) => id);
}

/** Last characters of an id as shown in lists, or more of it. */
const idEnd = /^[0-9a-f-]{8,36}$/i;

function merge<Filters extends object>(filters: Filters, line: LogQuery): Filters & LogQuery {
  const isGiven = (value: unknown) => value !== undefined && value !== '';
  for (const [name, value] of Object.entries(filters)) {
    if (isGiven(value) && Object.hasOwn(line, name)) {
      const msg = `The query contains ${name}, which is also set as a filter. Remove one of them.`;
      throw new ConsoleError(422, [{ loc: ['query', 'query'], msg, type: 'value_error' }]);
    }
  }
  return { ...filters, ...line };
}

/** Returns the id range of the requests received from the first day through the last, in the tenant's calendar. */
async function selectIdBounds(tx: TenantTransaction, tenantId: number, from: string, to: string) {
  const startOf = (day: SQL) => sql<string>`uuid_floor((${day})::timestamp AT TIME ZONE ${tenants.timeZone})`;
  const [bounds] = await tx
    .select({
      first: startOf(sql`${fromEpoch(from)}::date`),
      end: startOf(sql`${fromEpoch(to)}::date + 1`),
    })
    .from(tenants)
    .where(eq(tenants.id, tenantId));
  return bounds;
}

/** No id is older than the epoch in any time zone. */
function fromEpoch(day: string): string {
  return day < '1970-01-02' ? '1970-01-02' : day;
}

const searchTimeoutMs = 10_000;

/**
 * Runs log queries with a statement timeout, so that slow queries do not slow down others.
 * @throws ConsoleError 503 that explains how to narrow the query.
 */
export async function withinTime<Result>(
  tx: TenantTransaction,
  read: () => Promise<Result>,
): Promise<Result> {
  await tx.execute(sql.raw(`SET LOCAL statement_timeout = ${searchTimeoutMs}`));
  try {
    return await read();
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw new ConsoleError(
      503,
      'The log search took too long. Choose fewer days, or search for a longer text.',
      5,
    );
  }
}

/** `query_canceled` */
function isTimeout(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && Reflect.get(cause, 'code') === '57014';
}
