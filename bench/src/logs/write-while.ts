import { dayOf } from '../../../server/src/db/log-partitions/day-partition.ts';
import { dropDay } from '../../../server/src/db/log-partitions/drop-day.ts';
import { createSystemDatabase } from '../../../server/src/db/system.ts';
import { createLogger } from '../../../server/src/platform/logger.ts';
import { createShipRequests } from '../../../server/src/shipper/ship-requests.ts';
import type { TestDatabase } from '../../../server/test/database/cluster-database.ts';
import { createRecord } from '../../../server/test/requests/request-record.ts';
import { formatTable } from '../report/document.ts';
import { percentile } from '../report/statistics.ts';

const batchRows = 50;
const phaseMs = 8_000;
const droppedDaysAgo = 10;

/** Ships batches alone, during reads, and during reads while days are dropped. */
export async function writeWhile(database: TestDatabase, read: () => Promise<unknown>): Promise<string> {
  const { rows } = await database.pool.query<{ tenantId: number; userId: number }>(
    'SELECT tenant_id AS "tenantId", id AS "userId" FROM users LIMIT 20',
  );
  const ship = createShipRequests({ pool: database.pool, nodeSlot: 1, log: createLogger('silent') });
  const writeBatch = () =>
    ship(
      Array.from({ length: batchRows }, (_, place) => {
        const prompt = `Explain the ${Math.random().toString(36)} of the ${Math.random().toString(36)} parser`;
        const record = { ...rows[place % rows.length], prompt, response: prompt.repeat(10) };
        return createRecord({ ...record, model: 'gpt-4o', status: 'success', httpStatus: 200 });
      }),
    );
  const alone = await measure(writeBatch);
  const whileRead = await measure(writeBatch, read);
  const system = createSystemDatabase(database.pool);
  let day = dayOf(Date.now()) - droppedDaysAgo;
  const dropped = await measure(writeBatch, read, async () => {
    for (const parent of ['request_logs', 'request_log_bodies']) await dropDay(system, parent, day);
    day -= 1;
  });
  const header = [`batches of ${batchRows}`, 'rows/s', 'p50 ms', 'p99 ms', 'most ms'];
  return `\n${formatTable([header, ['alone', ...alone], ['with a concurrent reader', ...whileRead], ['while days are being dropped', ...dropped]])}`;
}

async function measure(
  write: () => Promise<void>,
  ...besides: (() => Promise<unknown>)[]
): Promise<string[]> {
  const untilMs = performance.now() + phaseMs;
  const repeat = async (work: () => Promise<unknown>) => {
    while (performance.now() < untilMs) await work();
  };
  const running = besides.map(repeat);
  const times: number[] = [];
  await repeat(async () => {
    const beganAtMs = performance.now();
    await write();
    times.push(performance.now() - beganAtMs);
  });
  await Promise.all(running);
  const spentMs = times.reduce((sum, ms) => sum + ms, 0);
  const figures = [
    (times.length * batchRows * 1000) / spentMs,
    ...[0.5, 0.99, 1].map((share) => percentile(times, share)),
  ];
  return figures.map((figure) => figure.toFixed(1));
}
