import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createNodeIds } from '#gateway/allowance/node.ts';
import type { JournalProblem, JournalRecord } from '#gateway/journal/frame.ts';
import { fromJournalRecord, toJournalRecord, toSettlement } from '#gateway/request-log/journal-record.ts';
import { admitted, openTestJournal, settled } from '#test/load/journal-fixture.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { fakeDatabase } from './fake-database.ts';
import { PositionLostError } from './journal-position.ts';
import { Run } from './run.ts';

async function leaveFolder(records: JournalRecord[], segmentBytes = 1024): Promise<string> {
  const { dir, journal } = openTestJournal({ segmentBytes });
  await Promise.all(records.map((record) => journal.append(record)));
  journal.close();
  return dir;
}

function openRun(dir: string, database = fakeDatabase()) {
  const problems: JournalProblem[] = [];
  const run = new Run(dir, database.open(), (problem) => problems.push(problem));
  return { run, problems, database };
}

test('a run ships settled records, then unsettled admissions, releases its leases and deletes its folder', async () => {
  const requests = Array.from({ length: 30 }, () => admitted());
  const ended = requests.filter((_, index) => index % 3 !== 0);
  const refused = settled();
  const dir = await leaveFolder([...requests, ...ended.map(({ id }) => settled(id)), refused]);
  const nodeId = '01234567-89ab-4def-8123-456789abcdef';
  createNodeIds(dir).add(nodeId);
  const { run, database, problems } = openRun(dir);
  expect(await run.ship()).toBe(true);
  expect([...database.rows]).toEqual([
    ...ended.map(({ id }) => [id, 'settled']),
    [refused.id, 'settled'],
    ...requests.filter((_, index) => index % 3 === 0).map(({ id }) => [id, 'admitted']),
  ]);
  expect(database.releases).toEqual([[nodeId]]);
  expect(readdirSync(dirname(dir))).toEqual([]);
  expect(problems).toEqual([]);
});

test('a run ships the unchanged content of its records, settled records before unsettled admissions', async () => {
  const [request, end] = [admitted(), settled(undefined, 'naïve 🙂 \u0000 "quoted"')];
  const dir = await leaveFolder([request, end]);
  const handedOver: JournalRecord[] = [];
  const keep = async (batch: readonly JournalRecord[]) => void handedOver.push(...batch);
  const destination = { ...fakeDatabase().open(), shipSettled: keep, shipInterrupted: keep };
  await new Run(dir, destination, () => {}).ship();
  expect(handedOver).toMatchObject([end, request]);
});

test.each([0, 1, 2])(
  'a run whose shipping fails after %i batches loses nothing and is completed by the next attempt',
  async (batchesTaken) => {
    const requests = Array.from({ length: 1200 }, () => admitted());
    const ended = requests.slice(0, 700);
    const dir = await leaveFolder([...requests, ...ended.map(({ id }) => settled(id))], 65_536);
    const { run, database } = openRun(dir);
    const insert = database.insert;
    let calls = 0;
    database.insert = async (batch) => {
      if (calls++ === batchesTaken) throw new Error('connection refused');
      await insert(batch);
    };
    await expect(run.ship()).rejects.toThrow('connection refused');
    expect(existsSync(dir)).toBe(true);
    expect(await run.ship()).toBe(true);
    const ids = (kind: string) =>
      [...database.rows].filter(([, rowKind]) => rowKind === kind).map(([id]) => id);
    expect(ids('settled')).toEqual(ended.map(({ id }) => id));
    expect(ids('admitted')).toEqual(requests.slice(700).map(({ id }) => id));
    for (const batch of database.batches) expect(batch.length).toBeLessThanOrEqual(500);
    expect(readdirSync(dirname(dir))).toEqual([]);
  },
);

test('a run ships records of 500,000 characters in batches of at most eight', async () => {
  const records = Array.from({ length: 20 }, () => settled(undefined, 'x'.repeat(500_000)));
  const dir = await leaveFolder(records, 64 * 1024 * 1024);
  const { run, database } = openRun(dir);
  await run.ship();
  expect(database.batches.map(({ length }) => length)).toEqual([8, 8, 4]);
});

test('a request shipped before its process died keeps its row even if its settled record is missing', async () => {
  const { dir, journal } = openTestJournal({ segmentBytes: 1024 });
  const [shipped, open] = [admitted(), admitted()];
  await journal.append(shipped);
  await journal.append(open);
  await journal.append(settled(shipped.id));
  for (let filled = 0; filled < 10; filled++) await journal.append(settled());
  const { run, database } = openRun(dir);
  await run.ship();
  await run.ship();
  journal.close();
  const before = readdirSync(dir);
  // A new shipper has not read the settlement of the first request.
  expect(await openRun(dir, database).run.ship()).toBe(true);
  expect(before[0]).toBe('000000000001.journal');
  expect(database.rows.get(shipped.id)).toBe('settled');
  expect(database.rows.get(open.id)).toBe('admitted');
});

test('a torn segment is reported, shipped up to the tear, and deleted', async () => {
  const record = settled();
  const { dir, journal } = openTestJournal();
  await journal.append(record);
  const path = join(dir, '000000000001.journal');
  const bytes = readFileSync(path);
  journal.close();
  writeFileSync(path, bytes);
  appendFileSync(path, 'torn');
  const { run, problems, database } = openRun(dir);
  expect(await run.ship()).toBe(true);
  expect(problems).toEqual([{ kind: 'segment-torn', path }]);
  expect([...database.rows.keys()]).toEqual([record.id]);
  expect(readdirSync(dirname(dir))).toEqual([]);
});

test('a damaged segment is reported and set aside, and later segments are still shipped', async () => {
  const requests = Array.from({ length: 30 }, () => admitted());
  const dir = await leaveFolder([...requests, ...requests.map(({ id }) => settled(id))]);
  const name = readdirSync(dir).at(-2) ?? '';
  const path = join(dir, name);
  const bytes = readFileSync(path);
  const middle = bytes.length >> 1;
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);

  const { run, problems, database } = openRun(dir);
  expect(await run.ship()).toBe(true);
  expect(problems).toEqual([{ kind: 'segment-damaged', path }]);
  const kinds = [...database.rows.values()];
  expect(kinds).toContain('admitted');
  expect([...database.rows.keys()].sort()).toEqual(requests.map(({ id }) => id).sort());
  expect(readdirSync(dirname(dir))).toEqual([expect.stringMatching(/\.damaged$/)]);
});

test('a run is read again from its start if the database has lost its last batches', async () => {
  const { dir, journal } = openTestJournal({ segmentBytes: 64 * 1024 * 1024 });
  const records = Array.from({ length: 3 }, () => settled());
  for (const record of records.slice(0, 2)) await journal.append(record);
  const { run, database } = openRun(dir);
  await run.ship();
  await journal.append(records[2]!);
  database.rows.clear();
  const { insert } = database;
  database.insert = async () => {
    database.insert = insert;
    throw new PositionLostError('lost');
  };
  await expect(run.ship()).rejects.toThrow(PositionLostError);
  await run.ship();
  journal.close();
  expect([...database.rows.keys()]).toEqual(records.map(({ id }) => id));
});

test('a settlement is joined with its admission, even from another segment or after the reader dropped it from memory', async () => {
  const requests = Array.from({ length: 40 }, (_, index) =>
    createRecord({ prompt: `${index} ${'x'.repeat(1_000_000)}`, userId: index }),
  );
  const admissions = requests.map((record) => toJournalRecord('admitted', record, 'full'));
  const settlements = requests.map((record) =>
    toSettlement({ ...record, status: 'success', response: `to ${record.userId}` }, 'full', 0),
  );
  const dir = await leaveFolder([...admissions, ...settlements], 3_000_000);
  const shipped: JournalRecord[] = [];
  const keep = async (batch: readonly JournalRecord[]) => void shipped.push(...batch);
  await new Run(dir, { ...fakeDatabase().open(), shipSettled: keep }, () => {}).ship();
  expect(shipped.map((record) => fromJournalRecord(record))).toMatchObject(
    requests.map(({ prompt, userId }) => ({ prompt, userId, status: 'success', response: `to ${userId}` })),
  );
});

test('a settlement whose admission an earlier shipper has deleted is not shipped again', async () => {
  const { dir, journal } = openTestJournal({ segmentBytes: 1024 });
  const [done, open] = [createRecord(), createRecord()];
  await journal.append(toJournalRecord('admitted', done, 'full'));
  for (let filled = 0; filled < 3; filled++) await journal.append(settled(undefined, 'x'.repeat(400)));
  await journal.append(toJournalRecord('admitted', open, 'full'));
  await journal.append(toSettlement(done, 'full', 0));
  const { run, database } = openRun(dir);
  await run.ship();
  await run.ship();
  journal.close();
  expect(readdirSync(dir)).not.toContain('000000000001.journal');
  const batches = database.batches.length;
  const next = openRun(dir, database);
  expect(await next.run.ship()).toBe(true);
  expect(next.problems).toEqual([]);
  expect(database.batches.slice(batches).flat()).not.toContain(done.id);
  expect(database.rows.get(open.id)).toBe('admitted');
});

test('an admission that cannot be read when its settlement is shipped is reported, and its segment is set aside', async () => {
  const { dir, journal } = openTestJournal();
  // A reader does not keep this many records in memory.
  const requests = Array.from({ length: 34 }, () => createRecord({ prompt: 'x'.repeat(1_000_000) }));
  for (const record of requests) await journal.append(toJournalRecord('admitted', record, 'full'));
  const { run, problems, database } = openRun(dir);
  await run.ship();
  await run.ship();
  const path = join(dir, readdirSync(dir).at(-1) ?? '');
  const bytes = readFileSync(path);
  bytes[bytes.length - 100] = 0;
  writeFileSync(path, bytes);
  for (const record of requests) await journal.append(toSettlement(record, 'full', 0));
  journal.close();
  while (!(await run.ship()));
  expect(problems).toEqual([{ kind: 'segment-damaged', path }]);
  expect(readdirSync(dirname(dir))).toEqual([expect.stringMatching(/\.damaged$/)]);
  expect(database.rows.size).toBe(requests.length - 1);
});
