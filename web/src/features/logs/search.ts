import type { LogEntry } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch } from '../../components/data-table/table-search.ts';

const text = z.union([z.string(), z.number()]).transform(String);

// Written out, or the calls of the log would be part of the first load of every page.
const statuses = ['success', 'error', 'client_closed', 'refused', 'admitted'] as const satisfies readonly (
  | LogEntry['status']
  | 'admitted'
)[];

/** What the address of the request log may say. */
export const logsSearch = tableSearch.extend({
  user: z.number().int().positive().optional().catch(undefined),
  model: text.optional().catch(undefined),
  status: z.enum(statuses).optional().catch(undefined),
  start: z.iso.date().optional().catch(undefined),
  end: z.iso.date().optional().catch(undefined),
  // What figures elsewhere lead to.
  intent: text.optional().catch(undefined),
  provider: text.optional().catch(undefined),
  team: z.number().int().positive().optional().catch(undefined),
  reason: text.optional().catch(undefined),
  key: z.boolean().optional().catch(undefined),
});

export type LogsSearch = z.output<typeof logsSearch>;

export const logsPageSize = 100;
const searchCharactersMax = 200;

/** What the server is asked for; dates count only when both are given. */
export function toLogsQuery(search: LogsSearch) {
  const { user, model, status, start, end, filter, page = 1, size = logsPageSize } = search;
  const { intent, provider, team, reason, key } = search;
  const days = start && end ? { start_date: start, end_date: end } : {};
  const wanted = filter === undefined ? {} : { search: String(filter).slice(0, searchCharactersMax) };
  const narrowed = {
    intent_classification: intent,
    provider_key: provider,
    team_id: team,
    error_code: reason,
    by_api_key: key === undefined ? undefined : (`${key}` as const),
  };
  return {
    user_id: user,
    model,
    status,
    ...narrowed,
    ...days,
    ...wanted,
    skip: (page - 1) * size,
    limit: size,
  };
}

export const noLogFilters = {
  filter: undefined,
  user: undefined,
  model: undefined,
  status: undefined,
  start: undefined,
  end: undefined,
  intent: undefined,
  provider: undefined,
  team: undefined,
  reason: undefined,
  key: undefined,
} satisfies Partial<LogsSearch>;

export function hasLogFilters(search: LogsSearch): boolean {
  return Object.keys(noLogFilters).some((name) => Reflect.get(search, name) !== undefined);
}
