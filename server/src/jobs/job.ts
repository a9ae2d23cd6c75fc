import type { SystemDatabase } from '#db/system.ts';
import type { Logger } from '#platform/logger.ts';

/** Work that the clock asks for. */
export interface Job {
  readonly name: string;
  /** When, in UTC, as cron writes it; a sixth field in front is the second. */
  readonly pattern: string;
  /** In one transaction, while no other node runs it. Running it twice must do no harm: two nodes' clocks differ. */
  run(tx: SystemDatabase, log: Logger): Promise<void>;
}
