import type { LogEntry } from '@sluice/contract';

/** Which requests of the log another page leads to; the parameters of the log's address. */
export interface LogsPlace {
  start?: string;
  end?: string;
  user?: number;
  task?: number;
  /** `admitted`: all but refused. */
  status?: LogEntry['status'] | 'admitted';
  model?: string;
  intent?: string;
  provider?: string;
  team?: number;
  /** Id of an API key. */
  apiKey?: number;
  reason?: string;
  /** Whether with an API key, or from the console. */
  key?: boolean;
}
