import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { dayPartition } from './day-partition.ts';

/** Who waits for a lock makes all others wait behind it, so nobody waits for long. */
const lockTimeoutMs = 20;
const triesMax = 600;
const retryMs = 100;

/** Drops a day of a partitioned table; answers whether it could. Those who write or read meanwhile wait milliseconds. */
export async function dropDay(client: pg.ClientBase, parent: string, day: number): Promise<boolean> {
  await client.query(`SET lock_timeout = ${lockTimeoutMs}`);
  try {
    for (let tries = 0; tries < triesMax; tries++) {
      const isDropped = await client.query(`DROP TABLE IF EXISTS ${dayPartition(parent, day).table}`).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Error && Reflect.get(error, 'code') === '55P03') return false;
          throw error;
        },
      );
      if (isDropped) return true;
      await pause(retryMs);
    }
    return false;
  } finally {
    await client.query('RESET lock_timeout');
  }
}
