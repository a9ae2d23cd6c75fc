import { readdirSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { admitted, openTestJournal, readFolder, settled } from '#gateway/journal/journal-fixture.ts';
import { JournalFullError } from '#gateway/journal/record.ts';

const everything = { rows: 1000, bytes: 1024 * 1024 };

test('a record is in the file when its append resolves', async () => {
  const { dir, journal } = openTestJournal();
  const request = admitted();
  await journal.append(request);
  expect(await readFolder(dir)).toEqual([request]);
});

test('records keep the order of their appends, however many a turn has', async () => {
  const { dir, journal } = openTestJournal();
  const requests = Array.from({ length: 3000 }, () => admitted());
  await Promise.all(requests.map((request) => journal.append(request)));
  expect((await readFolder(dir)).map(({ id }) => id)).toEqual(requests.map(({ id }) => id));
});

test('a record larger than a batch and than a segment is kept whole', async () => {
  const { dir, journal } = openTestJournal({ segmentBytes: 4096 });
  const records = [settled(undefined, 'é\n'.repeat(500_000)), settled()];
  await Promise.all(records.map((record) => journal.append(record)));
  expect(await readFolder(dir)).toMatchObject(records);
});

test('only its owner may read a journal', async () => {
  const { dir, journal } = openTestJournal();
  await journal.append(admitted());
  const [name = ''] = readdirSync(dir);
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(statSync(`${dir}/${name}`).mode & 0o777).toBe(0o600);
});

test('a request that is settled in the turn of its admission leaves nothing unresolved', async () => {
  const { dir, journal } = openTestJournal();
  const request = admitted();
  await Promise.all([journal.append(request), journal.append(settled(request.id))]);
  await journal.takeSettled(everything);
  await journal.markShipped();
  await journal.close();
  expect(readdirSync(dir)).toEqual([]);
});

test('a record that JSON cannot hold is refused alone', async () => {
  const { dir, journal } = openTestJournal();
  const request = admitted();
  const appended = journal.append(request);
  const refused = journal.append({ ...admitted(), data: { holdTokens: 1n as unknown as number } });
  await expect(refused).rejects.toThrow(TypeError);
  await appended;
  expect(await readFolder(dir)).toEqual([request]);
});

test('a closed journal refuses records', async () => {
  const { journal } = openTestJournal();
  await journal.close();
  await expect(journal.append(admitted())).rejects.toThrow('closed');
});

test('segments are bounded, and each goes once its records and their counterparts are shipped', async () => {
  const { dir, journal } = openTestJournal({ segmentBytes: 1024 });
  const [early, late] = [admitted(), admitted()];
  await journal.append(early);
  for (let filled = 0; filled < 30; filled++) await journal.append(settled());
  await journal.append(late);
  const names = readdirSync(dir);
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) expect(statSync(`${dir}/${name}`).size).toBeLessThanOrEqual(1024);

  await journal.takeSettled(everything);
  await journal.markShipped();
  expect(readdirSync(dir)).toEqual([names[0], names.at(-1)]);
  expect(journal.bytesOnDisk).toBe(sizeOf(dir));

  await journal.append(settled(early.id));
  await journal.takeSettled(everything);
  await journal.markShipped();
  expect(readdirSync(dir)).not.toContain(names[0]);
  expect(await readFolder(dir)).toContainEqual(late);
});

test('a journal without unresolved records leaves nothing on disk, and goes on in a new segment', async () => {
  const { dir, journal } = openTestJournal();
  await journal.append(settled());
  await journal.takeSettled(everything);
  await journal.markShipped();
  expect(readdirSync(dir)).toEqual([]);
  const next = admitted();
  await journal.append(next);
  expect(await readFolder(dir)).toEqual([next]);
});

test('leftovers of an earlier run are counted and never written again', async () => {
  const earlier = openTestJournal();
  const left = admitted();
  await earlier.journal.append(left);
  await earlier.journal.close();
  const [leftName = ''] = readdirSync(earlier.dir);
  const leftBytes = sizeOf(earlier.dir);

  const { dir, journal } = openTestJournal({ dir: earlier.dir });
  expect(journal.bytesOnDisk).toBe(leftBytes);
  const next = settled();
  await journal.append(next);
  await journal.takeSettled(everything);
  await journal.markShipped();
  expect(statSync(`${dir}/${leftName}`).size).toBe(leftBytes);
  expect(readdirSync(dir)[0]).toBe(leftName);
});

test('a full journal refuses admissions and refusals, settles once what it admitted, and admits again after shipping', async () => {
  const { journal } = openTestJournal({ maxBytes: 8192, segmentBytes: 1024 });
  const open = admitted();
  await journal.append(open);
  while (!journal.isFull) await journal.append(settled());
  expect(journal.bytesOnDisk).toBeLessThan(8192);
  await expect(journal.append(admitted())).rejects.toThrow(JournalFullError);
  await expect(journal.append(settled())).rejects.toThrow(JournalFullError);
  await journal.append(settled(open.id));
  await expect(journal.append(settled(open.id))).rejects.toThrow(JournalFullError);

  await journal.takeSettled(everything);
  await journal.markShipped();
  await journal.append(admitted());
});

function sizeOf(dir: string): number {
  return readdirSync(dir).reduce((sum, name) => sum + statSync(`${dir}/${name}`).size, 0);
}
