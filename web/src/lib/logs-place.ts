import type { LogEntry } from '@sluice/contract';

/** Search parameters of the request log, for links from other pages. */
export interface LogsPlace {
  start?: string;
  end?: string;
  user?: number;
  task?: number;
  /** `admitted` matches all statuses except refused. */
  status?: LogEntry['status'] | 'admitted';
  model?: string;
  intent?: string;
  provider?: string;
  team?: number;
  apiKey?: number;
  reason?: string;
  /** Label in the form `cost_center=4711`. */
  label?: string;
  /** Whether the request used an API key. Requests from the console do not. */
  key?: boolean;
}
