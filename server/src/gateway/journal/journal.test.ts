import { readdirSync, rmSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { acquireFileLock } from '#platform/file-lock.ts';
import { readFrames } from '#shipper/read-frames.ts';
import { admitted, openTestJournal, readFolder, settled } from '#test/load/journal-fixture.ts';
import { JournalFullError } from './frame.ts';

test('append resolves once the record is in the file', async () => {
  const { dir, journal } = openTestJournal();
  const request = admitted();
  await journal.append(request);
  expect(readFolder(dir)).toEqual([request]);
});

test('append keeps the order of records, however many are appended in one turn', async () => {
  const { dir, journal } = openTestJournal();
  const requests = Array.from({ length: 3000 }, () => admitted());
  await Promise.all(requests.map((request) => journal.append(request)));
  expect(readFolder(dir).map(({ id }) => id)).toEqual(requests.map(({ id }) => id));
});

test('append writes a record larger than a batch and a segment as a whole', async () => {
  const { dir, journal } = openTestJournal({ segmentBytes: 4096 });
  const records = [settled(undefined, 'é\n'.repeat(500_000)), settled()];
  await Promise.all(records.map((record) => journal.append(record)));
  expect(readFolder(dir)).toMatchObject(records);
});

test('journal files are accessible only to their owner', async () => {
  const { dir, journal } = openTestJournal();
  await journal.append(admitted());
  const [name = ''] = readdirSync(dir).filter((file) => file.endsWith('.journal'));
  expect(statSync(dir).mode & 0o777).toBe(0o700);
  expect(statSync(`${dir}/${name}`).mode & 0o777).toBe(0o600);
});

test('append rejects only the record that JSON cannot represent', async () => {
  const { dir, journal } = openTestJournal();
  const request = admitted();
  const appended = journal.append(request);
  const refused = journal.append({ ...admitted(), data: { holdTokens: 1n } });
  await expect(refused).rejects.toThrow(TypeError);
  await appended;
  expect(readFolder(dir)).toEqual([request]);
});

test('append rejects records after close', async () => {
  const { journal } = openTestJournal();
  journal.close();
  await expect(journal.append(admitted())).rejects.toThrow('closed');
});

test('the journal limits the size of segments', async () => {
  const { dir, journal } = openTestJournal({ segmentBytes: 1024 });
  for (let filled = 0; filled < 30; filled++) await journal.append(settled());
  const names = readdirSync(dir);
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) expect(statSync(`${dir}/${name}`).size).toBeLessThanOrEqual(1024);
  expect(readFolder(dir)).toHaveLength(30);
});

test('the journal seals a segment after segmentMs and writes an end marker', async () => {
  const { dir, journal } = openTestJournal({ segmentMs: 20 });
  await journal.append(admitted());
  const path = `${dir}/000000000001.journal`;
  await expect.poll(() => readFrames(path, 0, { settledRows: 1, bytes: 4096 }).stop).toBe('end');
  const next = admitted();
  await journal.append(next);
  expect(readFolder(dir).at(-1)).toEqual(next);
  expect(readdirSync(dir)).toHaveLength(2);
});

test('the journal locks its folder until it is closed', async () => {
  const { dir, journal } = openTestJournal();
  expect(() => openTestJournal({ dir })).toThrow(`The journal ${dir} is in use`);
  journal.close();
  acquireFileLock(`${dir}.lock`, 'The journal').release();
});

test("a journal counts the files of the slot's other runs until they are deleted", async () => {
  const { dir, journal } = openTestJournal();
  await journal.append(settled());
  journal.close();
  const next = openTestJournal({ dir: dir.replace('run-1', 'run-2'), maxBytes: 100 });
  expect(next.journal.bytesOnDisk).toBe(sizeOf(dir));
  await expect(next.journal.append(admitted())).rejects.toThrow(JournalFullError);
  rmSync(dir, { recursive: true });
  await expect.poll(() => next.journal.isFull).toBe(false);
  await next.journal.append(admitted());
});

test('a full journal rejects admissions and refusals, settles each admitted request once, and admits again after shipping', async () => {
  const { dir, journal } = openTestJournal({ maxBytes: 8192, segmentBytes: 1024 });
  const open = admitted();
  await journal.append(open);
  while (!journal.isFull) await journal.append(settled());
  expect(journal.bytesOnDisk).toBeLessThan(8192);
  await expect(journal.append(admitted())).rejects.toThrow(JournalFullError);
  await expect(journal.append(settled())).rejects.toThrow(JournalFullError);
  await journal.append(settled(open.id));
  await expect(journal.append(settled(open.id))).rejects.toThrow(JournalFullError);

  for (const name of readdirSync(dir)) rmSync(`${dir}/${name}`);
  await expect.poll(() => journal.isFull).toBe(false);
  await journal.append(admitted());
});

function sizeOf(dir: string): number {
  return readdirSync(dir).reduce((sum, name) => sum + statSync(`${dir}/${name}`).size, 0);
}
