import { createClient } from '#db/client.ts';
import { dayOf } from '#db/log-partitions/day-partition.ts';
import { dropDaysBefore } from '#db/log-partitions/drop-days-before.ts';
import { findIndexedBefore, indexTexts, listUnindexed } from '#db/log-partitions/index-texts.ts';
import type { Clock } from '#platform/clock.ts';
import type { Job } from './job.ts';

/**
 * Every hour: builds the index of words for the texts of each day that is over. It is built in one go, which costs a
 * fraction of keeping it up to date with each row; until then the day is searched by its blocks of rows, which the next
 * hour drops. Others go on writing meanwhile. It takes a connection of its own, since a pooler and a pool end a statement that takes so long.
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
        for (const table of await listUnindexed(client, dayOf(clock()))) {
          if (signal.aborted) return;
          await indexTexts(client, table);
          log.info({ table }, 'the texts of a day of the request log have their index');
        }
      } finally {
        signal.removeEventListener('abort', cancel);
        await client.end();
      }
    },
  };
}
