import type { LogEntry } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch } from '../../components/data-table/table-search.ts';

const text = z.union([z.string(), z.number()]).transform(String);

// Written out, or the calls of the log would be part of the first load of every page.
const statuses = ['success', 'error', 'client_closed', 'refused', 'admitted'] as const satisfies readonly (
  | LogEntry['status']
  | 'admitted'
)[];

/** What the address of the request log may say. Other pages lead here by these names (`LogsPlace`), so they stay. */
export const logsSearch = tableSearch.extend({
  // `filter`, of every list, is here the query line: `status:error model:gpt* timeout`.
  user: z.number().int().positive().optional().catch(undefined),
  model: text.optional().catch(undefined),
  status: z.enum(statuses).optional().catch(undefined),
  /** The first and the last day, by the tenant's calendar; they count only together. */
  start: z.iso.date().optional().catch(undefined),
  end: z.iso.date().optional().catch(undefined),
  task: z.number().int().positive().optional().catch(undefined),
  intent: text.optional().catch(undefined),
  /** A key of the provider registry. */
  provider: text.optional().catch(undefined),
  /** The team whose grant was used. */
  team: z.number().int().positive().optional().catch(undefined),
  /** Why it was refused or failed: `model_blacklisted`. */
  reason: text.optional().catch(undefined),
  /** Whether it was asked with an API key, or from the console. */
  key: z.boolean().optional().catch(undefined),
});

export type LogsSearch = z.output<typeof logsSearch>;

export const logsPageSize = 100;

export const noLogFilters = {
  filter: undefined,
  user: undefined,
  model: undefined,
  status: undefined,
  start: undefined,
  end: undefined,
  task: undefined,
  intent: undefined,
  provider: undefined,
  team: undefined,
  reason: undefined,
  key: undefined,
} satisfies Partial<LogsSearch>;

export function hasLogFilters(search: LogsSearch): boolean {
  return Object.keys(noLogFilters).some((name) => Reflect.get(search, name) !== undefined);
}
