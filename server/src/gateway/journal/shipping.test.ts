import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JournalOptions } from '#gateway/journal/journal.ts';
import {
  admitted,
  fakeDatabase,
  openTestJournal,
  type Settled,
  settled,
} from '#gateway/journal/journal-fixture.ts';
import { replayJournal } from '#gateway/journal/replay.ts';
import { type ShippingOptions, startShipping } from '#gateway/journal/shipping.ts';

const endOfTurn = () => new Promise((resolve) => setImmediate(resolve));

function startTestShipping(
  journalOptions: Partial<JournalOptions> = {},
  shippingOptions: Partial<ShippingOptions<Settled>> = {},
) {
  const opened = openTestJournal(journalOptions);
  const database = fakeDatabase();
  const { journal, onProblem } = opened;
  const shipping = startShipping({ journal, ship: database.insert, onProblem, ...shippingOptions });
  onTestFinished(() => shipping.stop());
  return { ...opened, database, shipping };
}

function holdTime(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
}

afterEach(() => {
  vi.useRealTimers();
});

test('a full batch is shipped at once', async () => {
  holdTime();
  const { journal, database } = startTestShipping({}, { batchRows: 10 });
  const records = Array.from({ length: 10 }, () => settled());
  await Promise.all(records.map((record) => journal.append(record)));
  await endOfTurn();
  expect(database.batches).toEqual([records.map(({ id }) => id)]);
});

test.each([
  [undefined, 500],
  [200, 200],
  [60_000, 1000],
])('with an interval of %s ms a lone record is shipped after %i ms', async (intervalMs, waitedMs) => {
  holdTime();
  const { journal, database } = startTestShipping({}, { intervalMs });
  await journal.append(settled());
  await vi.advanceTimersByTimeAsync(waitedMs - 1);
  expect(database.batches).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(database.batches).toHaveLength(1);
});

describe.each([
  ['held in memory', 16 * 1024 * 1024],
  ['read again from disk', 0],
])('with settled records %s', (_, maxHeldBytes) => {
  test('a failing database gets the same batch again until it takes it, in order and one at a time', async () => {
    const { rows, insert } = fakeDatabase();
    let callsInFlight = 0;
    const batches: string[][] = [];
    const ship: ShippingOptions<Settled>['ship'] = async (batch) => {
      expect(++callsInFlight).toBe(1);
      await endOfTurn();
      callsInFlight--;
      batches.push(batch.map(({ id }) => id));
      if (batches.length <= 3) throw new Error('connection refused');
      await insert(batch);
    };
    const { journal, shipping, problems } = startTestShipping({ maxHeldBytes }, { ship, batchRows: 100 });
    const records = Array.from({ length: 1050 }, () => settled());
    await Promise.all(records.map((record) => journal.append(record)));
    expect(await shipping.flush(10_000)).toBe(true);
    expect([...rows.keys()]).toEqual(records.map(({ id }) => id));
    expect(batches.slice(0, 3)).toEqual(Array(3).fill(batches[3]));
    expect(batches.slice(3).map(({ length }) => length)).toEqual([...Array(10).fill(100), 50]);
    expect(problems.map(({ kind }) => kind)).toEqual(Array(3).fill('ship-failed'));
  });

  test('the counters tell how many rows wait, and how long', async () => {
    holdTime();
    const { journal, database, shipping } = startTestShipping({ maxHeldBytes });
    database.isAway = true;
    expect(journal.oldestUnshippedMs).toBe(0);
    await journal.append(settled());
    await vi.advanceTimersByTimeAsync(4000);
    await journal.append(settled());
    expect(journal.unshippedRows).toBe(2);
    expect(journal.oldestUnshippedMs).toBe(4000);
    database.isAway = false;
    expect(await shipping.flush(1000)).toBe(true);
    expect(journal.unshippedRows).toBe(0);
    expect(journal.oldestUnshippedMs).toBe(0);
  });
});

test('records that come during an outage do not hurry the next try', async () => {
  holdTime();
  const { journal, database } = startTestShipping({}, { batchRows: 1 });
  database.isAway = true;
  await journal.append(settled());
  await endOfTurn();
  await journal.append(settled());
  await endOfTurn();
  expect(database.batches).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(50);
  expect(database.batches).toHaveLength(2);
});

test('an outage holds a bounded part in memory, and what comes meanwhile is shipped in its order', async () => {
  const maxHeldBytes = 64 * 1024;
  const database = fakeDatabase();
  const appended: string[] = [];
  const append = (count: number) => {
    const records = Array.from({ length: count }, () => settled(undefined, 'x'.repeat(1000)));
    appended.push(...records.map(({ id }) => id));
    return Promise.all(records.map((record) => journal.append(record)));
  };
  const ship: ShippingOptions<Settled>['ship'] = async (batch) => {
    await database.insert(batch);
    if (appended.length < 4000) await append(20);
    expect(journal.heldBytes).toBeLessThanOrEqual(maxHeldBytes);
  };
  const { dir, journal, shipping } = startTestShipping(
    { maxHeldBytes, segmentBytes: 128 * 1024 },
    { ship, batchRows: 50 },
  );
  database.isAway = true;
  for (let waves = 0; waves < 30; waves++) {
    await append(100);
    expect(journal.heldBytes).toBeLessThanOrEqual(maxHeldBytes);
  }
  expect(journal.unshippedRows).toBe(3000);
  database.isAway = false;
  expect(await shipping.flush(20_000)).toBe(true);
  expect([...database.rows.keys()]).toEqual(appended);
  expect(appended.length).toBeGreaterThanOrEqual(4000);
  await journal.close();
  expect(readdirSync(dir)).toEqual([]);
});

test('a segment damaged during an outage loses its rest to the replay, and no other row', async () => {
  const { dir, journal, shipping, database, problems, onProblem } = startTestShipping({
    maxHeldBytes: 0,
    segmentBytes: 2048,
  });
  database.isAway = true;
  const requests = Array.from({ length: 40 }, () => admitted());
  for (const request of requests) await journal.append(request);
  for (const { id } of requests) await journal.append(settled(id));
  const path = `${dir}/${readdirSync(dir).at(-2)}`;
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);

  database.isAway = false;
  expect(await shipping.flush(10_000)).toBe(true);
  expect(problems).toContainEqual({ kind: 'segment-damaged', path });
  expect(database.rows.size).toBeLessThan(40);
  await shipping.stop();
  await journal.close();
  await replayJournal({ dir, shipSettled: database.insert, shipInterrupted: database.insert, onProblem });
  expect([...database.rows.keys()].sort()).toEqual(requests.map(({ id }) => id).sort());
});

test('a drain that runs out of time says so, and the rest is replayed', async () => {
  const { dir, journal, shipping, database, onProblem } = startTestShipping();
  database.isAway = true;
  const record = settled();
  await journal.append(record);
  expect(await shipping.flush(20)).toBe(false);
  await shipping.stop();
  await journal.close();
  database.isAway = false;
  await replayJournal({ dir, shipSettled: database.insert, shipInterrupted: database.insert, onProblem });
  expect([...database.rows]).toEqual([[record.id, 'settled']]);
});

test('a drain takes along what was appended in the same turn', async () => {
  const { journal, shipping, database } = startTestShipping();
  const appended = journal.append(settled());
  expect(await shipping.flush(5000)).toBe(true);
  expect(database.rows.size).toBe(1);
  await appended;
});

test('shipping stops without waiting for its next try', async () => {
  holdTime();
  const { journal, shipping, database, problems } = startTestShipping();
  database.isAway = true;
  await journal.append(settled());
  await vi.advanceTimersByTimeAsync(500);
  expect(problems).toHaveLength(1);
  await shipping.stop();
});

test('shipping that is stopped during a try does not try again when that fails', async () => {
  holdTime();
  const { promise, reject } = Promise.withResolvers<void>();
  const ship = vi.fn(() => promise);
  const { journal, shipping } = startTestShipping({}, { ship, batchRows: 1 });
  await journal.append(settled());
  await endOfTurn();
  const stopped = shipping.stop();
  reject(new Error('connection refused'));
  await stopped;
  expect(ship).toHaveBeenCalledTimes(1);
  expect(journal.unshippedRows).toBe(1);
});
