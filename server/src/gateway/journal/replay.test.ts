import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  type Admitted,
  admitted,
  fakeDatabase,
  openTestJournal,
  type Settled,
  settled,
  temporaryFolder,
} from '#gateway/journal/journal-fixture.ts';
import type { JournalProblem, JournalRecord } from '#gateway/journal/record.ts';
import { replayJournal } from '#gateway/journal/replay.ts';

/** A folder as a process leaves it that dies after these records. */
async function leaveFolder(
  records: JournalRecord<Admitted, Settled>[],
  segmentBytes = 1024,
): Promise<string> {
  const { dir, journal } = openTestJournal({ segmentBytes });
  for (const record of records) await journal.append(record);
  await journal.close();
  return dir;
}

function startReplay(dir: string, database = fakeDatabase()) {
  const problems: JournalProblem[] = [];
  const counts = replayJournal<Admitted, Settled>({
    dir,
    shipSettled: database.insert,
    shipInterrupted: database.insert,
    onProblem: (problem) => problems.push(problem),
  });
  return { counts, problems, database };
}

test('settled records and then the admitted ones without an end are handed over, and the files go', async () => {
  const requests = Array.from({ length: 30 }, () => admitted());
  const ended = requests.filter((_, index) => index % 3 !== 0);
  const refused = settled();
  const dir = await leaveFolder([...requests, ...ended.map(({ id }) => settled(id)), refused]);
  const { counts, database, problems } = startReplay(dir);
  expect(await counts).toEqual({ settled: 21, interrupted: 10, problems: 0 });
  expect([...database.rows]).toEqual([
    ...ended.map(({ id }) => [id, 'settled']),
    [refused.id, 'settled'],
    ...requests.filter((_, index) => index % 3 === 0).map(({ id }) => [id, 'admitted']),
  ]);
  expect(readdirSync(dir)).toEqual([]);
  expect(problems).toEqual([]);
});

test('records arrive as they were appended', async () => {
  const [request, end] = [admitted(), settled(undefined, 'naïve 🙂 \u0000 "quoted"')];
  const dir = await leaveFolder([request, end]);
  const handedOver: JournalRecord<Admitted, Settled>[] = [];
  const keep = async (batch: JournalRecord<Admitted, Settled>[]) => void handedOver.push(...batch);
  await replayJournal<Admitted, Settled>({
    dir,
    shipSettled: keep,
    shipInterrupted: keep,
    onProblem: () => {},
  });
  expect(handedOver).toMatchObject([end, request]);
});

test.each([
  ['that does not exist', () => `${temporaryFolder()}/none`],
  ['without segments', temporaryFolder],
])('a folder %s holds nothing to replay', async (_, makeFolder) => {
  expect(await startReplay(makeFolder()).counts).toEqual({ settled: 0, interrupted: 0, problems: 0 });
});

test.each([0, 1, 2])(
  'a replay that fails after %i batches deletes nothing, and the next one completes it',
  async (batchesTaken) => {
    const requests = Array.from({ length: 1200 }, () => admitted());
    const ended = requests.slice(0, 700);
    const dir = await leaveFolder([...requests, ...ended.map(({ id }) => settled(id))], 65_536);
    const names = readdirSync(dir);
    const database = fakeDatabase();
    let calls = 0;
    const ship = async (batch: JournalRecord<Admitted, Settled>[]) => {
      if (calls++ === batchesTaken) throw new Error('connection refused');
      await database.insert(batch);
    };
    const replay = () =>
      replayJournal<Admitted, Settled>({
        dir,
        shipSettled: ship,
        shipInterrupted: ship,
        onProblem: () => {},
      });
    await expect(replay()).rejects.toThrow('connection refused');
    expect(readdirSync(dir)).toEqual(names);
    await replay();
    const ids = (kind: string) =>
      [...database.rows].filter(([, rowKind]) => rowKind === kind).map(([id]) => id);
    expect(ids('settled')).toEqual(ended.map(({ id }) => id));
    expect(ids('admitted')).toEqual(requests.slice(700).map(({ id }) => id));
    for (const batch of database.batches) expect(batch.length).toBeLessThanOrEqual(500);
    expect(readdirSync(dir)).toEqual([]);
  },
);

test('large records are handed over a few at a time', async () => {
  const dir = await leaveFolder(Array.from({ length: 20 }, () => settled(undefined, 'x'.repeat(500_000))));
  const { counts, database } = startReplay(dir);
  await counts;
  expect(database.batches.map(({ length }) => length)).toEqual([9, 9, 2]);
});

test('a request shipped before its process died keeps the row it has, though its settled record is gone', async () => {
  const { dir, journal } = openTestJournal({ segmentBytes: 1024 });
  const database = fakeDatabase();
  const [shipped, open] = [admitted(), admitted()];
  await journal.append(shipped);
  await journal.append(open);
  for (let filled = 0; filled < 10; filled++) await journal.append(settled());
  await journal.append(settled(shipped.id));
  await database.insert(await journal.takeSettled({ rows: 100, bytes: 1024 * 1024 }));
  await journal.markShipped();
  await journal.close();
  expect(await startReplay(dir, database).counts).toMatchObject({ interrupted: 2 });
  expect(database.rows.get(shipped.id)).toBe('settled');
  expect(database.rows.get(open.id)).toBe('admitted');
});

test('a torn segment is reported, replayed as far as it goes, and deleted', async () => {
  const record = settled();
  const dir = await leaveFolder([record]);
  const path = `${dir}/${readdirSync(dir)[0]}`;
  appendFileSync(path, 'torn');
  const { counts, problems, database } = startReplay(dir);
  expect(await counts).toEqual({ settled: 1, interrupted: 0, problems: 1 });
  expect(problems).toEqual([{ kind: 'segment-torn', path }]);
  expect([...database.rows.keys()]).toEqual([record.id]);
  expect(readdirSync(dir)).toEqual([]);
});

test('a damaged segment is reported and set aside, and hides nothing in the segments after it', async () => {
  const requests = Array.from({ length: 30 }, () => admitted());
  const dir = await leaveFolder([...requests, ...requests.map(({ id }) => settled(id))]);
  const path = `${dir}/${readdirSync(dir).at(-2)}`;
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(path, bytes);

  const { counts, problems, database } = startReplay(dir);
  const { settled: settledRows, interrupted, problems: problemCount } = await counts;
  expect(problemCount).toBe(1);
  expect(problems).toEqual([{ kind: 'segment-damaged', path }]);
  expect(interrupted).toBeGreaterThan(0);
  expect(settledRows + interrupted).toBe(30);
  expect([...database.rows.keys()].sort()).toEqual(requests.map(({ id }) => id).sort());
  expect(readdirSync(dir)).toEqual([expect.stringMatching(/\.damaged$/)]);
  expect(await startReplay(dir).counts).toEqual({ settled: 0, interrupted: 0, problems: 0 });
});
