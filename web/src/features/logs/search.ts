import type { LogEntry } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

const text = z.union([z.string(), z.number()]).transform(String);

// Duplicated from the contract, because an import would add the contract's routes to the first load of every page.
const statuses = ['success', 'error', 'client_closed', 'refused', 'admitted'] as const satisfies readonly (
  | LogEntry['status']
  | 'admitted'
)[];

/** Links from other pages use these names (`LogsPlace`). */
export const logsSearch = tableSearch.extend({
  // On this page, the `filter` parameter of all lists contains the query line: `status:error model:gpt* timeout`.
  user: z.number().int().positive().optional().catch(undefined),
  model: text.optional().catch(undefined),
  status: z.enum(statuses).optional().catch(undefined),
  /** Start and end day in the tenant's time zone. Both or neither must be set. */
  start: z.iso.date().optional().catch(undefined),
  end: z.iso.date().optional().catch(undefined),
  task: z.number().int().positive().optional().catch(undefined),
  intent: text.optional().catch(undefined),
  /** Key in the provider registry, for example `openai`. */
  provider: text.optional().catch(undefined),
  /** Id of the team whose grant allowed the request. */
  team: z.number().int().positive().optional().catch(undefined),
  /** Example: `model_blacklisted`. */
  reason: text.optional().catch(undefined),
  /** Example: `cost_center=4711`. */
  label: text.optional().catch(undefined),
  apiKey: z.number().int().positive().optional().catch(undefined),
  /** Whether the request used an API key. Requests from the console do not. */
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
  label: undefined,
  key: undefined,
  apiKey: undefined,
} satisfies Partial<LogsSearch>;

export function hasLogFilters(search: LogsSearch): boolean {
  return Object.keys(noLogFilters).some((name) => Reflect.get(search, name) !== undefined);
}
