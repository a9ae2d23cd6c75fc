import { randomUUIDv7 } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createPool } from '#db/pool.ts';
import { toJournalRecord } from '#gateway/request-log/journal-record.ts';
import { createLogger, type Logger } from '#platform/logger.ts';
import { nameRun } from '#supervisor/worker-pool.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { startTransactionCutter, type TransactionStep } from '#test/database/transaction-cutter.ts';
import { openTestJournal, temporaryFolder } from '#test/load/journal-fixture.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { PositionLostError, removePosition } from './journal-position.ts';
import { openShipper } from './open-shipper.ts';
import {
  createShipRequests,
  type EndedRequest,
  type ShippingOptions,
  type ShipRequests,
} from './ship-requests.ts';

const drainMs = 10_000;

let database: TestDatabase;
let tenantId: number;
let userId: number;
let runId: string;
let told: { requestId?: string; msg: string; requests?: number }[];
let log: Logger;
beforeEach(async () => {
  database = await createTestDatabase();
  runId = randomUUIDv7();
  told = [];
  log = createLogger('info', { write: (line: string) => void told.push(JSON.parse(line)) });
  tenantId = await insert("INSERT INTO tenants (name, slug) VALUES ('T', 't') RETURNING id");
  userId = await insert(
    `INSERT INTO users (tenant_id, role_id, email, name, password_hash) VALUES (${tenantId}, 3, 'a@b.c', 'A', 'x') RETURNING id`,
  );
});
afterEach(() => database.close());

async function insert(statement: string): Promise<number> {
  return (await database.pool.query(statement)).rows[0].id;
}

const startShipping = (more: Partial<ShippingOptions> = {}) =>
  createShipRequests({ pool: database.pool, nodeSlot: 0, runId, log, ...more });

function settle(count: number, more: (index: number) => Partial<EndedRequest> = () => ({})): EndedRequest[] {
  return Array.from({ length: count }, (_, index) => ({
    ...createRecord({
      tenantId,
      userId,
      model: 'm',
      status: 'success',
      httpStatus: 200,
      prompt: `Question ${index}`,
      response: 'Answer',
      signals: { off_topic: 1 },
    }),
    position: { segment: 1 + Math.floor(index / 3), offset: 8 + (index % 3) * 100 },
    ...more(index),
  }));
}

async function expectOnce(requests: readonly EndedRequest[]): Promise<void> {
  const ids = requests.map(({ id }) => id).sort();
  const read = async (statement: string) =>
    (await database.pool.query<{ id: string }>(statement)).rows.map(({ id }) => id);
  expect(await read('SELECT id FROM request_logs ORDER BY id')).toEqual(ids);
  expect(await read('SELECT id FROM request_log_bodies ORDER BY id')).toEqual(ids);
  expect(await read('SELECT unnest(row_ids) AS id FROM request_log_text_blocks ORDER BY 1')).toEqual(ids);
  const { rows } = await database.pool.query(
    'SELECT sum(requests)::integer AS requests, sum(scored_requests)::integer AS scored FROM usage_rollups',
  );
  expect(rows).toEqual([{ requests: ids.length, scored: ids.length }]);
}

const readPositions = async () =>
  (await database.pool.query('SELECT run, segment, "offset" FROM journal_positions ORDER BY run')).rows;

it('the position of a run is the position of the last record in the database', async () => {
  const requests = settle(5);
  const ship = startShipping();
  await ship(requests.slice(0, 2));
  expect(await readPositions()).toEqual([{ run: runId, segment: 1, offset: 108 }]);
  await ship(requests.slice(2));
  expect(await readPositions()).toEqual([{ run: runId, segment: 2, offset: 108 }]);
  await expectOnce(requests);
});

it.each([0, 1, 2, 3, 4, 5])(
  'a new shipper writes exactly the remaining records after a crash with %i of 5 records written, in different batches',
  async (count) => {
    const requests = settle(5);
    await startShipping()(requests.slice(0, count));
    const ship = startShipping();
    await ship(requests.slice(0, 3));
    await ship(requests.slice(3));
    await expectOnce(requests);
    expect(told).toEqual([]);
  },
);

it('a deleted request up to the position is not restored when its journal is shipped again', async () => {
  const requests = settle(4);
  await startShipping()(requests.slice(0, 3));
  await database.pool.query('DELETE FROM request_logs');
  await startShipping()(requests);
  const { rows } = await database.pool.query('SELECT id FROM request_logs');
  expect(rows).toEqual([{ id: requests[3]?.id }]);
});

it('two shippers of one run with different batches write each record once', async () => {
  const requests = settle(12);
  const shippers = [5, 3].map(async (size) => {
    const ship = startShipping();
    for (let start = 0; start < requests.length; start += size)
      await ship(requests.slice(start, start + size));
  });
  await Promise.all(shippers);
  await expectOnce(requests);
  expect(told).toEqual([]);
});

it('a shipper notifies its node of records that another shipper has written', async () => {
  const requests = settle(3);
  await startShipping()(requests.slice(0, 2));
  const shipped: string[][] = [];
  await startShipping({ onShipped: (records) => shipped.push(records.map(({ id }) => id)) })(requests);
  expect(shipped).toEqual([requests.slice(0, 2).map(({ id }) => id), [requests[2]?.id]]);
});

it('positions of different runs are independent', async () => {
  const [one, other] = [settle(3), settle(3)];
  await startShipping()(one);
  const otherRunId = randomUUIDv7();
  await startShipping({ runId: otherRunId })(other);
  await expectOnce([...one, ...other]);
  expect(await readPositions()).toHaveLength(2);
});

it('a database that has lost the last batches receives them again from the journal', async () => {
  const requests = settle(6);
  const ship = startShipping();
  await ship(requests.slice(0, 2));
  const [before] = await readPositions();
  await ship(requests.slice(2, 4));
  await database.pool.query('DELETE FROM request_logs WHERE id = ANY($1::uuid[])', [
    requests.slice(2, 4).map(({ id }) => id),
  ]);
  await database.pool.query('UPDATE journal_positions SET segment = $1, "offset" = $2', [
    before.segment,
    before.offset,
  ]);
  await emptyTables(database, 'request_log_bodies', 'request_log_text_blocks');
  await expect(ship(requests.slice(4))).rejects.toThrow(PositionLostError);
  await ship(requests);
  const { rows } = await database.pool.query('SELECT id FROM request_logs ORDER BY id');
  expect(rows.map(({ id }) => id)).toEqual(requests.map(({ id }) => id).sort());
});

describe('the unique key of the log', () => {
  it('a run without a position skips requests that already have rows and writes the rest', async () => {
    const requests = settle(7);
    const earlier = [requests[0]!, requests[2]!, requests[3]!, requests[6]!];
    await startShipping({ runId: undefined })(earlier);
    await startShipping()(requests);
    await expectOnce(requests);
    expect(told).toMatchObject([{ level: 'info', requests: earlier.length }]);
  });

  it('a settlement that occurs twice in the journal is written once', async () => {
    const requests = settle(4);
    const again = { ...requests[0]!, position: { segment: 9, offset: 8 } };
    await startShipping()([...requests, again]);
    await expectOnce(requests);
  });

  it('the unique key prevents duplicates of requests without a position', async () => {
    const interrupted = settle(3).map(({ position: _, ...record }) => record);
    const ship = startShipping();
    await ship(interrupted);
    await ship(interrupted);
    await expectOnce(interrupted);
    expect(await readPositions()).toEqual([]);
  });

  it('the unique key prevents duplicates if the position of the run is missing', async () => {
    const requests = settle(6);
    const ship = startShipping();
    await ship(requests.slice(0, 4));
    await database.pool.query('DELETE FROM journal_positions');
    await expect(ship(requests.slice(4))).rejects.toThrow(PositionLostError);
    await startShipping()(requests);
    await ship(requests);
    await expectOnce(requests);
  });
});

it.each([0, 1, 2, 3, 4])(
  'a row rejected at index %i is stored without its prompt and reported once, even if the journal is shipped again',
  async (place) => {
    const requests = settle(5, (index) => (index === place ? { prompt: 'a\0b' } : {}));
    await startShipping()(requests);
    expect(told).toMatchObject([{ requestId: requests[place]?.id }]);
    await startShipping()(requests);
    expect(told).toHaveLength(1);
    const { rows } = await database.pool.query(
      'SELECT l.id, b.prompt FROM request_logs l JOIN request_log_bodies b USING (id)',
    );
    const prompts = new Map(rows.map(({ id, prompt }) => [id, prompt]));
    expect(requests.map(({ id }) => prompts.get(id))).toEqual(
      requests.map(({ prompt }, index) => (index === place ? null : prompt)),
    );
    expect(await readPositions()).toEqual([{ run: runId, ...requests[4]?.position }]);
  },
);

it('a run has a position from its first shipped request until its journal is completely shipped', async () => {
  const slotDir = join(temporaryFolder(), 'slot-0');
  const dir = nameRun(slotDir);
  const { journal } = openTestJournal({ dir });
  const { connectionString } = database;
  const shipper = openShipper({ slotDirs: [slotDir], connectionString, log, intervalMs: 5, onShipped() {} });
  const requests = settle(2);
  await journal.append(toJournalRecord('settled', requests[0]!, 'full'));
  await expect.poll(readPositions).toEqual([{ run: basename(dir).slice(4), segment: 1, offset: 8 }]);
  await journal.append(toJournalRecord('settled', requests[1]!, 'full'));
  journal.close();
  await shipper.close(drainMs);
  await expectOnce(requests);
  expect(await readPositions()).toEqual([]);
  expect(existsSync(dir)).toBe(false);
});

it('removePosition removes the position of the run and those not moved for a month', async () => {
  const [recent, lost] = [randomUUIDv7(), randomUUIDv7()];
  for (const id of [runId, recent, lost]) await startShipping({ runId: id })(settle(1));
  await database.pool.query(
    "UPDATE journal_positions SET moved_at = now() - interval '31 days' WHERE run = $1",
    [lost],
  );
  await removePosition(database.pool, runId);
  expect(await readPositions()).toMatchObject([{ run: recent }]);
});

describe('journal positions and lost connections', () => {
  const stepsMax = 100;

  /** Cuts the connection at each step of a transaction in turn. Returns the number of steps. */
  async function loseEachStep(
    lost: TransactionStep['lost'],
    recover: (first: ShipRequests, requests: EndedRequest[]) => Promise<void>,
  ): Promise<number> {
    const cutter = await startTransactionCutter(database.connectionString);
    onTestFinished(() => cutter.close());
    const pool = createPool(cutter.connectionString, 1, 'sluice-test', { hasPreparedStatements: true });
    onTestFinished(() => pool.end());
    const written: EndedRequest[] = [];
    for (let number = 1; number < stepsMax; number++) {
      runId = randomUUIDv7();
      const requests = settle(6);
      written.push(...requests);
      const first = startShipping({ pool });
      cutter.cutAt({ number, lost });
      const outcome = await first(requests.slice(0, 3)).then(
        () => 'written',
        () => 'rejected',
      );
      const { hasCut } = cutter;
      expect(outcome).toBe(hasCut ? 'rejected' : 'written');
      cutter.cutAt(null);
      await recover(first, requests);
      await expectOnce(written);
      if (!hasCut) return number - 1;
    }
    throw new Error('the transaction does not end');
  }

  const recoveries = {
    'the same shipper': async (first: ShipRequests, requests: EndedRequest[]) => {
      await first(requests.slice(0, 3));
      await first(requests.slice(3));
    },
    'a new shipper with other batches': async (_: ShipRequests, requests: EndedRequest[]) => {
      const ship = startShipping();
      await ship(requests.slice(0, 2));
      await ship(requests.slice(2));
    },
  };

  it.each([
    ['request', 'the same shipper'],
    ['response', 'the same shipper'],
    ['request', 'a new shipper with other batches'],
    ['response', 'a new shipper with other batches'],
  ] as const)(
    'losing the connection with the %s of any step loses and duplicates nothing when %s continues',
    async (lost, recovery) => {
      // Steps of a transaction: begin, position, users, four for logs and bodies, key, two for text blocks, score,
      // rollups and commit.
      expect(await loseEachStep(lost, recoveries[recovery])).toBeGreaterThanOrEqual(12);
      expect(told).toEqual([]);
    },
  );
});
