import { dayOf } from '../../../server/src/db/log-partitions/day-partition.ts';
import { dropDay } from '../../../server/src/db/log-partitions/drop-day.ts';
import { createSystemDatabase } from '../../../server/src/db/system.ts';
import { createLogger } from '../../../server/src/platform/logger.ts';
import { createShipRequests } from '../../../server/src/shipper/ship-requests.ts';
import type { TestDatabase } from '../../../server/test/database/cluster-database.ts';
import { formatTable } from '../report/document.ts';
import { percentile } from '../report/statistics.ts';
import { openRecords } from './draw-record.ts';

const batchRows = 50;
const phaseMs = 8_000;
const droppedDaysAgo = 10;

export async function writeWhile(pool: TestDatabase['pool'], read: () => Promise<unknown>): Promise<string> {
  const ship = createShipRequests({ pool, nodeSlot: 1, log: createLogger('silent') });
  const drawRecord = await openRecords(pool);
  const writeBatch = () => ship(Array.from({ length: batchRows }, drawRecord));
  const alone = await measure(pool, writeBatch);
  const whileRead = await measure(pool, writeBatch, read);
  const system = createSystemDatabase(pool);
  let day = dayOf(Date.now()) - droppedDaysAgo;
  const dropped = await measure(pool, writeBatch, read, async () => {
    for (const parent of ['request_logs', 'request_log_bodies']) await dropDay(system, parent, day);
    day -= 1;
  });
  const header = [`batches of ${batchRows}`, 'rows/s', 'p50 ms', 'p99 ms', 'most ms', 'WAL B/row'];
  return `${formatTable([header, ['alone', ...alone], ['with a concurrent reader', ...whileRead], ['while days are being dropped', ...dropped]])}`;
}

async function measure(
  pool: TestDatabase['pool'],
  write: () => Promise<void>,
  ...besides: (() => Promise<unknown>)[]
): Promise<string[]> {
  const untilMs = performance.now() + phaseMs;
  const repeat = async (work: () => Promise<unknown>) => {
    while (performance.now() < untilMs) await work();
  };
  const readPosition = async () =>
    (
      await pool.query<{ bytes: string }>(
        "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes",
      )
    ).rows[0]?.bytes;
  const before = await readPosition();
  const running = besides.map(repeat);
  const times: number[] = [];
  await repeat(async () => {
    const beganAtMs = performance.now();
    await write();
    times.push(performance.now() - beganAtMs);
  });
  await Promise.all(running);
  const spentMs = times.reduce((sum, ms) => sum + ms, 0);
  const walBytes = Number(await readPosition()) - Number(before);
  const figures = [
    (times.length * batchRows * 1000) / spentMs,
    ...[0.5, 0.99, 1].map((share) => percentile(times, share)),
    walBytes / (times.length * batchRows),
  ];
  return figures.map((figure) => figure.toFixed(1));
}
