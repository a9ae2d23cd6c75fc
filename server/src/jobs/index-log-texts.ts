import { createClient } from '#db/client.ts';
import { findIndexedBefore, indexDay, indexRanges, listUnindexed } from '#db/log-partitions/day-indexes.ts';
import { dayOf } from '#db/log-partitions/day-partition.ts';
import { dropDaysBefore } from '#db/log-partitions/drop-day.ts';
import type { Clock } from '#platform/clock.ts';
import type { Job } from './job.ts';

/**
 * Builds the indexes of past days and updates the index of the current day, every hour and without blocking writes. Row
 * blocks, with which texts are searched until then, are dropped in the next run. Uses a separate connection, since
 * pools end long statements.
 */
export function createIndexLogTexts(clock: Clock, directConnectionString: string): Job {
  return {
    name: 'index-log-texts',
    pattern: '41 * * * *',
    isLong: true,
    async runInSteps({ database, log, signal }) {
      const client = createClient({
        connectionString: directConnectionString,
        application_name: 'sluice-index',
      });
      client.on('error', () => undefined);
      await client.connect();
      const cancel = () => void client.end();
      signal.addEventListener('abort', cancel);
      try {
        const searchedBefore = await findIndexedBefore(client);
        if (searchedBefore !== null)
          await dropDaysBefore(database, 'request_log_text_blocks', searchedBefore, signal);
        const today = dayOf(clock());
        await indexRanges(client, today);
        for (const day of await listUnindexed(client, today)) {
          if (signal.aborted) return;
          await indexDay(client, day);
          log.info({ table: day.table }, 'the indexes of one day of the request log were created');
        }
      } finally {
        signal.removeEventListener('abort', cancel);
        await client.end();
      }
    },
  };
}
