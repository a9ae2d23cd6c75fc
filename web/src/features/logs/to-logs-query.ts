import { logQueryLengthMax, parseLogQuery } from '@sluice/contract';
import { type LogsSearch, logsPageSize } from './search.ts';

/** Converts the search parameters to the server's query for one page. */
export function toLogsQuery(search: LogsSearch) {
  const { page = 1, size = logsPageSize } = search;
  return { ...toLogFilters(search), skip: (page - 1) * size, limit: size };
}

/** Returns the valid filters: dates only as an ordered pair, the query line only without errors. */
export function toLogFilters(search: LogsSearch) {
  const { user, task, team, model, status, start, end, intent, provider, reason, key } = search;
  const days = start && end && start <= end ? { start_date: start, end_date: end } : {};
  const line = lineOf(search);
  return {
    user_id: user,
    task_id: task,
    team_id: team,
    model,
    status,
    intent_classification: intent,
    provider_key: provider,
    error_code: reason,
    by_api_key: key === undefined ? undefined : (`${key}` as const),
    ...days,
    ...(line === '' || findLineProblem(search) !== null ? {} : { query: line }),
  };
}

const lineOf = ({ filter }: LogsSearch) => String(filter ?? '').trim();

/** Returns the error of the query line, alone or in combination with the other filters, or `null`. */
export function findLineProblem(search: LogsSearch): string | null {
  const line = lineOf(search);
  if (line.length > logQueryLengthMax) return `The line has at most ${logQueryLengthMax} characters.`;
  const { filters, problems } = parseLogQuery(line);
  if (problems[0] !== undefined) return problems[0];
  const said = chosenTwice.find(([name, field]) => search[name] !== undefined && field in filters);
  return said ? `${said[2]} is chosen as a filter already. Take one of the two away.` : null;
}

const chosenTwice = [
  ['model', 'model', 'A model'],
  ['status', 'status', 'A status'],
  ['intent', 'intent_classification', 'An intent'],
  ['provider', 'provider_key', 'A provider'],
  ['reason', 'error_code', 'A reason'],
] as const;
