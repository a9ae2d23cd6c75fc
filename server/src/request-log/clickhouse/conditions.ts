import type { ChosenRows } from '#domain/request-log/chosen-rows.ts';
import type { UsageFilters } from '#domain/usage-filters.ts';
import type { QueryParams } from './connection.ts';
import { folded, idEnd, searchedText } from './log-indexes.ts';
import { parseIdEnd, toRowId } from './row-id.ts';

/** Ids of users and tasks whose names match the patterns. Looked up in PostgreSQL. */
export interface FoundNames {
  readonly users: readonly number[];
  readonly tasks: readonly number[];
  readonly searchedUsers: readonly number[];
}

export interface Condition {
  readonly sql: string;
  readonly params: QueryParams;
}

/**
 * Rows that match the condition and, if there are alternatives, at least one of them. Each alternative is read by its own
 * query, since ClickHouse cannot skip rows by the index of one of them if they are joined with OR.
 */
export interface Choice extends Condition {
  readonly alternatives: readonly Condition[];
}

const is = (sql: string, params: QueryParams = {}): Condition => ({ sql, params });
const never = is('0');

/** An empty list matches no rows. */
export const isOneOf = (column: string, name: string, ids: readonly number[]): Condition =>
  ids.length === 0 ? never : is(`${column} IN {${name}:Array(Int32)}`, { [name]: ids });

/** Condition of each filter, equivalent to `find_request_logs` in PostgreSQL. NULL values never match. */
const conditionsOf: {
  readonly [Name in keyof Required<ChosenRows>]: (
    value: NonNullable<ChosenRows[Name]>,
    names: FoundNames,
  ) => Condition | null;
} = {
  user_id: (id) => is('user_id = {user_id:Int32}', { user_id: id }),
  task_id: (id) => is('task_id = {task_id:Int32}', { task_id: id }),
  team_ids: (ids) => isOneOf('team_id', 'team_ids', ids),
  api_key_id: (id) => is('api_key_id = {api_key_id:Int32}', { api_key_id: id }),
  api_key_ids: (ids) => isOneOf('api_key_id', 'api_key_ids', ids),
  by_api_key: (isByKey) => is(isByKey ? 'api_key_id IS NOT NULL' : 'api_key_id IS NULL'),
  user_like: (_, { users }) => isOneOf('user_id', 'users', users),
  task_like: (_, { tasks }) => isOneOf('task_id', 'tasks', tasks),
  status: (status) => is('status = {status:String}', { status }),
  is_admitted: () => is("status <> 'refused'"),
  error_code: (code) => is("status <> 'success' AND error_code = {error_code:String}", { error_code: code }),
  labels: (labels) => all(Object.entries(labels).map(([name, value], place) => hasLabel(place, name, value))),
  label_names: (names) =>
    all(
      names.map((name, place) =>
        is(`mapContains(labels, {name${place}:String})`, { [`name${place}`]: name }),
      ),
    ),
  intent: (intent) => is('intent_classification = {intent:String}', { intent }),
  is_unclassified: () => is('intent_classification IS NULL'),
  model: (model) => is('model = {model:String}', { model }),
  model_like: (pattern) => is('model LIKE {model_like:String}', { model_like: pattern }),
  provider_key: (key) => is('provider_key = {provider_key:String}', { provider_key: key }),
  cost_above: (cost) => is('cost_nano_usd > {cost_above:Int64}', { cost_above: cost }),
  cost_below: (cost) => is('cost_nano_usd < {cost_below:Int64}', { cost_below: cost }),
  tokens_above: (count) => is(`${tokens} > {tokens_above:Int64}`, { tokens_above: Math.floor(count) }),
  tokens_below: (count) => is(`${tokens} < {tokens_below:Int64}`, { tokens_below: Math.ceil(count) }),
  response_time_above: (ms) => is('response_time_ms > {time_above:Float64}', { time_above: ms }),
  response_time_below: (ms) => is('response_time_ms < {time_below:Float64}', { time_below: ms }),
  // These two filters are alternatives of the search (see `search`).
  search_like: () => null,
  id_end: () => null,
  first: (id) => is('id >= {first:UInt128}', { first: toRowId(id) }),
  end: (id) => is('id < {end:UInt128}', { end: toRowId(id) }),
};

export const tokens = '(prompt_tokens + completion_tokens)';

/**
 * Returns the alternatives of a search: the pattern matches a text or the error of a failed request, the request is by
 * one of the users, or its id has the given end.
 */
function search(pattern: string, users: readonly number[], end: string | undefined): Condition[] {
  const parsed = end === undefined ? null : parseIdEnd(end);
  return [
    is(`${searchedText} LIKE ${folded('{search:String}')}`, { search: pattern }),
    ...(users.length === 0 ? [] : [isOneOf('user_id', 'searched_users', users)]),
    ...(parsed === null
      ? []
      : [
          // The first condition uses the index.
          is(`${idEnd} = {id_last:UInt32} AND bitAnd(id, {id_mask:UInt128}) = {id_end:UInt128}`, {
            id_last: Number(parsed.value & 0xffff_ffffn),
            id_mask: 16n ** BigInt(parsed.digits) - 1n,
            id_end: parsed.value,
          }),
        ]),
  ];
}

function hasLabel(place: number, name: string, value: string | readonly string[]): Condition {
  if (typeof value !== 'string') return never;
  const [key, held] = [`label${place}`, `value${place}`];
  return is(`mapContains(labels, {${key}:String}) AND labels[{${key}:String}] = {${held}:String}`, {
    [key]: name,
    [held]: value,
  });
}

export const all = (conditions: readonly Condition[]): Condition => ({
  sql: conditions.length === 0 ? '1' : conditions.map(({ sql }) => `(${sql})`).join(' AND '),
  params: Object.assign({}, ...conditions.map(({ params }) => params)),
});

export function choose(
  chosen: ChosenRows & { readonly before?: string | undefined },
  names: FoundNames,
): Choice {
  const { before, ...filters } = chosen;
  const given = Object.entries(filters).flatMap(([name, value]) => {
    if (value === undefined) return [];
    // safe because the type of the table has a function for the value of each name
    const conditionOf = conditionsOf[name as keyof ChosenRows] as (
      value: unknown,
      names: FoundNames,
    ) => Condition | null;
    return conditionOf(value, names) ?? [];
  });
  const { search_like: pattern, id_end: end } = chosen;
  return {
    ...all(
      before === undefined ? given : [...given, is('id < {before:UInt128}', { before: toRowId(before) })],
    ),
    alternatives: pattern === undefined ? [] : search(pattern, names.searchedUsers, end),
  };
}

export function chooseUsage({
  userId,
  teamIds,
  taskId,
  apiKeyIds,
  model,
  providerKey,
  label,
}: UsageFilters): Condition {
  const ofLabel =
    label === undefined
      ? {}
      : label.value === null
        ? { label_names: [label.name] }
        : { labels: { [label.name]: label.value } };
  const none = { users: [], tasks: [], searchedUsers: [] };
  return choose(
    {
      user_id: userId,
      team_ids: teamIds,
      task_id: taskId,
      api_key_ids: apiKeyIds,
      model,
      provider_key: providerKey,
      ...ofLabel,
    },
    none,
  );
}
