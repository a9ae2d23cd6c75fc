import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JournalRecord } from '#gateway/journal/frame.ts';
import type { JournalOptions } from '#gateway/journal/journal.ts';
import { admitted, openTestJournal, settled } from '#test/load/journal-fixture.ts';
import { fakeDatabase } from './fake-database.ts';
import type { Destination } from './run.ts';
import { type ShipperOptions, startShipper } from './shipper.ts';
import type { Backlog } from './shipper-metrics.ts';

function startTestShipper(
  journalOptions: Partial<JournalOptions> = {},
  shipperOptions: Partial<ShipperOptions> = {},
) {
  const opened = openTestJournal(journalOptions);
  const database = fakeDatabase();
  const start = () =>
    startShipper({
      slotDirs: [dirname(opened.dir)],
      openDestination: database.open,
      intervalMs: 5,
      onProblem: opened.onProblem,
      ...shipperOptions,
    });
  const shipper = start();
  onTestFinished(() => shipper.stop());
  const drain = async () => {
    opened.journal.close();
    await shipper.drain();
  };
  return { ...opened, database, shipper, start, drain };
}

const idsOf = (records: readonly JournalRecord[]) => records.map(({ id }) => id);

test('the shipper ships settled records of a live worker but not admitted ones', async () => {
  const { journal, database } = startTestShipper();
  const requests = [admitted(), admitted()];
  for (const request of requests) await journal.append(request);
  await journal.append(settled(requests[0]?.id));
  await expect.poll(() => [...database.rows]).toEqual([[requests[0]?.id, 'settled']]);
  await journal.append(settled(requests[1]?.id));
  await expect.poll(() => [...database.rows.values()]).toEqual(['settled', 'settled']);
});

test('a run is complete and has no backlog, even if its position cannot be removed', async () => {
  const backlogs: Backlog[] = [];
  const openDestination = (): Destination => ({
    ...fakeDatabase().open(),
    async removePosition() {
      backlogs.push(shipper.readBacklog());
      throw new Error('connection refused');
    },
  });
  const { dir, drain, journal, problems, shipper } = startTestShipper({}, { openDestination });
  await journal.append(settled());
  await drain();
  backlogs.push(shipper.readBacklog());
  expect(backlogs).toEqual([
    { bytes: 0, ageMs: 0 },
    { bytes: 0, ageMs: 0 },
  ]);
  expect(problems).toMatchObject([{ kind: 'ship-failed', error: { message: 'connection refused' } }]);
  expect(readdirSync(dirname(dir))).toEqual([]);
});

test('the shipper retries the same batch until the database accepts it, in order and one at a time', async () => {
  const { journal, database, drain, problems } = startTestShipper({}, { intervalMs: 20 });
  const { insert } = database;
  let callsInFlight = 0;
  let calls = 0;
  database.insert = async (batch) => {
    expect(++callsInFlight).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    callsInFlight--;
    database.isAway = ++calls <= 3;
    await insert(batch);
  };
  const records = Array.from({ length: 1050 }, () => settled());
  await Promise.all(records.map((record) => journal.append(record)));
  await drain();
  expect([...database.rows.keys()]).toEqual(idsOf(records));
  expect(database.batches.slice(0, 3)).toEqual(Array(3).fill(database.batches[3]));
  expect(database.batches.slice(3).map(({ length }) => length)).toEqual([500, 500, 50]);
  expect(problems.map(({ kind }) => kind)).toEqual(Array(3).fill('ship-failed'));
});

test('the shipper ships records written during an outage after it, in order, and deletes all files', async () => {
  const { dir, journal, database, drain } = startTestShipper({ segmentBytes: 128 * 1024 });
  database.isAway = true;
  const records = Array.from({ length: 3000 }, () => settled(undefined, 'x'.repeat(1000)));
  for (let wave = 0; wave < 30; wave++)
    await Promise.all(records.slice(wave * 100, wave * 100 + 100).map((record) => journal.append(record)));
  await expect.poll(() => database.batches.length).toBeGreaterThan(1);
  database.isAway = false;
  await drain();
  expect([...database.rows.keys()]).toEqual(idsOf(records));
  expect(existsSync(dir)).toBe(false);
});

test('the shipper deletes a segment of a live worker once its records and their settlements are shipped', async () => {
  const { dir, journal, database } = startTestShipper({ segmentBytes: 1024 });
  const [early, late] = [admitted(), admitted()];
  await journal.append(early);
  for (let filled = 0; filled < 30; filled++) await journal.append(settled());
  await journal.append(late);
  const names = readdirSync(dir).filter((name) => name.endsWith('.journal'));
  const left = () => readdirSync(dir).filter((name) => name.endsWith('.journal'));
  await expect.poll(left).toEqual([names[0], names.at(-1)]);
  await journal.append(settled(early.id));
  await expect.poll(left).not.toContain(names[0]);
  expect(left()).toContain(names.at(-1));
  expect(database.rows.has(late.id)).toBe(false);
});

test('the shipper deletes a segment that has not been written to for a while', async () => {
  const { dir, journal } = startTestShipper({ segmentMs: 50 });
  await journal.append(settled());
  await expect.poll(() => readdirSync(dir)).toEqual([]);
  await journal.append(settled());
  await expect.poll(() => readdirSync(dir)).toEqual([]);
});

test('a new shipper ships the rest of the journal, deletes its first segment and leaves no request unsettled', async () => {
  const { dir, journal, shipper, database, start } = startTestShipper({ segmentBytes: 1024 });
  const [shipped, open] = [admitted(), admitted()];
  await journal.append(shipped);
  await journal.append(open);
  await journal.append(settled(shipped.id));
  for (let filled = 0; filled < 10; filled++) await journal.append(settled());
  await expect.poll(() => database.rows.size).toBe(11);
  await expect.poll(() => readdirSync(dir).length).toBeLessThan(3);
  await shipper.stop();

  const second = start();
  onTestFinished(() => second.stop());
  await journal.append(settled(open.id));
  await expect.poll(() => database.rows.get(open.id)).toBe('settled');
  await journal.append(settled());
  // The previous shipper deleted the settlement of the segment's first admission.
  await expect.poll(() => readdirSync(dir)).not.toContain('000000000001.journal');
  journal.close();
  await second.drain();
  expect([...database.rows.values()].filter((kind) => kind === 'admitted')).toEqual([]);
});

test('a segment damaged during an outage loses its remaining settlements but no row', async () => {
  const { dir, journal, database, drain, problems } = startTestShipper({ segmentBytes: 2048 });
  database.isAway = true;
  const requests = Array.from({ length: 40 }, () => admitted());
  for (const request of requests) await journal.append(request);
  for (const { id } of requests) await journal.append(settled(id));
  const path = join(
    dir,
    readdirSync(dir)
      .filter((name) => name.endsWith('.journal'))
      .at(-2) ?? '',
  );
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
  database.isAway = false;
  await expect.poll(() => problems).toContainEqual({ kind: 'segment-damaged', path });
  await drain();
  expect([...database.rows.keys()].sort()).toEqual(idsOf(requests).sort());
  expect([...database.rows.values()]).toContain('admitted');
});

test('drain ships records appended in the same turn', async () => {
  const { journal, database, drain } = startTestShipper({}, { intervalMs: 60_000 });
  const appended = journal.append(settled());
  await drain();
  expect(database.rows.size).toBe(1);
  await appended;
});

test('stop ends the shipper within 200 ms while shipping fails', async () => {
  const { journal, shipper, database, problems } = startTestShipper();
  database.isAway = true;
  await journal.append(settled());
  await expect.poll(() => problems.length).toBeGreaterThan(3);
  const startedMs = performance.now();
  await shipper.stop();
  expect(performance.now() - startedMs).toBeLessThan(200);
});

test('the shipper ships an earlier run of a slot before the live one, and deletes it', async () => {
  const { dir, journal, database } = startTestShipper({}, { intervalMs: 30 });
  database.isAway = true;
  const slotDir = dirname(dir);
  const [older, newer] = [settled(), settled()];
  const left = openTestJournal({ dir: join(slotDir, 'run-0') });
  await left.journal.append(older);
  left.journal.close();
  await journal.append(newer);
  database.isAway = false;
  await expect.poll(() => [...database.rows.keys()]).toEqual([older.id, newer.id]);
  await expect.poll(() => readdirSync(slotDir)).toEqual(['run-1', 'run-1.lock', 'run-1.lock.holder']);
});
