import type { LogEntry } from '@sluice/contract';
import { z } from 'zod';
import { tableSearch } from '#components/data-table/table-search.ts';

const text = z.union([z.string(), z.number()]).transform(String);

// Written out, because importing the contract's value would add its routes to the first load of every page.
const statuses = ['success', 'error', 'client_closed', 'refused', 'admitted'] as const satisfies readonly (
  | LogEntry['status']
  | 'admitted'
)[];

/** Search parameters of the request log. Other pages link here with these names (`LogsPlace`). */
export const logsSearch = tableSearch.extend({
  // `filter`, which every list has, is the query line here: `status:error model:gpt* timeout`.
  user: z.number().int().positive().optional().catch(undefined),
  model: text.optional().catch(undefined),
  status: z.enum(statuses).optional().catch(undefined),
  /** First and last day in the tenant's time zone; both must be set. */
  start: z.iso.date().optional().catch(undefined),
  end: z.iso.date().optional().catch(undefined),
  task: z.number().int().positive().optional().catch(undefined),
  intent: text.optional().catch(undefined),
  /** Key in the provider registry. */
  provider: text.optional().catch(undefined),
  /** Team whose grant was used. */
  team: z.number().int().positive().optional().catch(undefined),
  /** Error code: `model_blacklisted`. */
  reason: text.optional().catch(undefined),
  /** Label such as `cost_center=4711`. */
  label: text.optional().catch(undefined),
  /** Id of an API key. */
  apiKey: z.number().int().positive().optional().catch(undefined),
  /** Whether the request used an API key or came from the console. */
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
