import { formatLogQuery, type LogQuery, logQueryLengthMax, parseLogQuery } from '@sluice/contract';
import type { LogsSearch } from './search.ts';

export const lineOf = ({ filter }: Pick<LogsSearch, 'filter'>) => String(filter ?? '').trim();

export interface LineProblem {
  readonly message: string;
  /** `null` if the whole line is invalid. */
  readonly place: { readonly start: number; readonly end: number } | null;
}

export const isReversed = ({ start, end }: Pick<LogsSearch, 'start' | 'end'>): boolean =>
  start !== undefined && end !== undefined && end < start;

/** Shown in the empty list. Returns `null` if the filters can be applied. */
export function findFilterProblem(search: LogsSearch): string | null {
  if (findLineProblem(search)) return 'Invalid query. Correct it above to see requests.';
  return isReversed(search) ? 'The end date must not be before the start date.' : null;
}

/** Includes conflicts with other filters. */
export function findLineProblem(search: LogsSearch): LineProblem | null {
  const line = lineOf(search);
  if (line.length > logQueryLengthMax) {
    return { message: `The search must be at most ${logQueryLengthMax} characters.`, place: null };
  }
  const { filters, problems, places } = parseLogQuery(line);
  if (problems[0] !== undefined) return { message: problems[0], place: places[0] ?? null };
  const twice = chosenTwice.find(([name, field]) => search[name] !== undefined && field in filters);
  return twice
    ? { message: `${twice[2]} is already set as a filter. Remove one of the two.`, place: null }
    : null;
}

const chosenTwice = [
  ['model', 'model', 'A model'],
  ['status', 'status', 'A status'],
  ['intent', 'intent_classification', 'An intent'],
  ['provider', 'provider_key', 'A provider'],
  ['reason', 'error_code', 'A reason'],
  ['label', 'label', 'A label'],
] as const;

/** Each page filter has an equivalent query line field. Setting either of them removes the other. */
const twins: readonly (readonly [keyof LogsSearch, keyof LogQuery])[] = [
  ...chosenTwice.map(([name, field]) => [name, field] as const),
  ['user', 'user'],
  ['team', 'team'],
  ['task', 'task'],
  ['apiKey', 'key'],
  ['start', 'since'],
  ['start', 'until'],
  ['end', 'since'],
  ['end', 'until'],
];

/** Removes replaced filters, because the query line and the filter fields would otherwise contradict each other. */
export function settleFilters(search: LogsSearch, changes: Partial<LogsSearch>): Partial<LogsSearch> {
  if ('filter' in changes) {
    const { filters } = parseLogQuery(lineOf(changes));
    const replaced = twins.filter(([name, field]) => field in filters && search[name] !== undefined);
    return { ...changes, ...Object.fromEntries(replaced.map(([name]) => [name, undefined])) };
  }
  const { filters, problems } = parseLogQuery(lineOf(search));
  const replaced = twins.filter(([name, field]) => name in changes && field in filters);
  if (problems.length > 0 || replaced.length === 0) return changes;
  return {
    ...changes,
    ...withoutFields(
      search,
      replaced.map(([, field]) => field),
    ),
  };
}

export function withoutFields(
  search: LogsSearch,
  fields: readonly (keyof LogQuery)[],
): Pick<LogsSearch, 'filter'> {
  const { filters } = parseLogQuery(lineOf(search));
  // safe because only entries are removed
  const kept = Object.fromEntries(
    Object.entries(filters).filter(([field]) => !fields.some((one) => one === field)),
  ) as LogQuery;
  return { filter: formatLogQuery(kept) || undefined };
}

export const timePresets = [
  { value: '1h', label: 'Last hour', range: { since: '1h' } },
  { value: 'today', label: 'Today', range: { since: 'today' } },
  { value: 'yesterday', label: 'Yesterday', range: { since: 'yesterday', until: 'yesterday' } },
  { value: '7d', label: 'Last 7 days', range: { since: '7d' } },
  { value: 'month', label: 'This month', range: { since: 'month' } },
] as const satisfies readonly { value: string; label: string; range: Pick<LogQuery, 'since' | 'until'> }[];

/** Returns the name of a preset, a description of another range, or `undefined`. */
export function readTimeRange(search: LogsSearch): string | undefined {
  const { since, until } = parseLogQuery(lineOf(search)).filters;
  const preset = timePresets.find(
    ({ range }: { range: Pick<LogQuery, 'since' | 'until'> }) =>
      range.since === since && range.until === until,
  );
  if (preset) return preset.value;
  return [since && `since ${since}`, until && `until ${until}`].filter(Boolean).join(' ') || undefined;
}

export function withTimeRange(
  search: LogsSearch,
  range: Pick<LogQuery, 'since' | 'until'>,
): Partial<LogsSearch> {
  const { since: _since, until: _until, ...filters } = parseLogQuery(lineOf(search)).filters;
  return { start: undefined, end: undefined, filter: formatLogQuery({ ...filters, ...range }) || undefined };
}
