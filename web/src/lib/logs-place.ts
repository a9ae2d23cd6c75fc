import type { LogEntry } from '@sluice/contract';

/** Search parameters of the log page, for links from other pages. */
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
  /** Id of an API key. */
  apiKey?: number;
  reason?: string;
  /** Label such as `cost_center=4711`. */
  label?: string;
  /** Whether the request used an API key or came from the console. */
  key?: boolean;
}
