import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { admitted, openTestJournal, readFolder, settled } from '#test/load/journal-fixture.ts';

const disk = { ...fs };
const writeSync = vi.spyOn(fs, 'writeSync');
const fdatasyncSync = vi.spyOn(fs, 'fdatasyncSync');
const fsyncSync = vi.spyOn(fs, 'fsyncSync');
const ftruncateSync = vi.spyOn(fs, 'ftruncateSync');
// Updates the named imports in the journal's modules.
syncBuiltinESMExports();

afterEach(() => {
  vi.useRealTimers();
  vi.resetAllMocks();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const fail = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

function fillDiskDuringWrite(): void {
  const writeHalf = (fd: number, bytes: Buffer, offset: number, length: number, position: number) =>
    disk.writeSync(fd, bytes, offset, length >> 1, position);
  writeSync.mockImplementationOnce(writeHalf as typeof fs.writeSync).mockImplementationOnce(fail('ENOSPC'));
}

test('the journal writes all records of a turn in one write', async () => {
  const { journal } = openTestJournal();
  await journal.append(admitted());
  writeSync.mockClear();
  await Promise.all(Array.from({ length: 500 }, () => journal.append(admitted())));
  expect(writeSync).toHaveBeenCalledTimes(1);
});

test('the journal continues a partial write', async () => {
  const { dir, journal } = openTestJournal();
  const requests = [admitted(), admitted()];
  await journal.append(requests[0]!);
  writeSync.mockImplementationOnce(((
    fd: number,
    bytes: Buffer,
    offset: number,
    _: number,
    position: number,
  ) => disk.writeSync(fd, bytes, offset, 3, position)) as typeof fs.writeSync);
  await journal.append(requests[1]!);
  expect(readFolder(dir)).toEqual(requests);
});

test('append resolves only after its batch and the name of a new file are synced', async () => {
  const { journal } = openTestJournal({ syncEveryBatch: true });
  const appended = journal.append(admitted()).then(() => fdatasyncSync.mock.calls.length);
  expect(await appended).toBe(1);
  expect(fsyncSync).toHaveBeenCalledTimes(1);
});

test('the journal syncs nothing by default', async () => {
  const { journal } = openTestJournal();
  await journal.append(admitted());
  expect(fdatasyncSync).not.toHaveBeenCalled();
});

test.each([
  ['the disk fills up during a write', {}, fillDiskDuringWrite],
  ['a sync fails', { syncEveryBatch: true }, () => fdatasyncSync.mockImplementationOnce(fail('EIO'))],
])('the journal rejects only the current batch when %s', async (_, options, breakDisk) => {
  const { dir, journal, problems } = openTestJournal(options);
  const [before, after] = [admitted(), admitted()];
  await journal.append(before);
  breakDisk();
  const refused = Array.from({ length: 4 }, () => journal.append(admitted()));
  for (const append of refused) await expect(append).rejects.toThrow(/ENOSPC|EIO/);
  expect(journal.isHealthy).toBe(false);
  await journal.append(after);
  expect(journal.isHealthy).toBe(true);
  expect(readFolder(dir)).toEqual([before, after]);
  expect(fs.readdirSync(dir)).toHaveLength(2);
  expect(problems.map(({ kind }) => kind)).toEqual(['write-failed', 'write-recovered']);
});

test('a torn batch that cannot be truncated does not damage later records', async () => {
  const { dir, journal } = openTestJournal();
  const [before, after] = [admitted(), admitted()];
  await journal.append(before);
  fillDiskDuringWrite();
  ftruncateSync.mockImplementationOnce(fail('EIO'));
  await expect(journal.append(admitted())).rejects.toThrow('ENOSPC');
  await journal.append(after);
  expect(readFolder(dir)).toEqual([before, after]);
});

test('repeated writes to a full disk leave no empty segments behind', async () => {
  const { dir, journal, problems } = openTestJournal();
  for (let tries = 0; tries < 5; tries++) {
    writeSync.mockImplementationOnce(disk.writeSync);
    fillDiskDuringWrite();
    await expect(journal.append(admitted())).rejects.toThrow('ENOSPC');
  }
  await expect.poll(() => fs.readdirSync(dir)).toEqual([]);
  expect(problems).toHaveLength(1);
});

test('a segment that could not be started leaves no file behind', async () => {
  const { dir, journal } = openTestJournal();
  fillDiskDuringWrite();
  await expect(journal.append(admitted())).rejects.toThrow('ENOSPC');
  expect(fs.readdirSync(dir)).toEqual([]);
});

test('an unwritten settlement is written with the next record, or once the disk recovers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { dir, journal } = openTestJournal();
  const requests = [admitted(), admitted()];
  for (const request of requests) await journal.append(request);
  const ends = requests.map(({ id }) => settled(id, 'what it said'));
  fillDiskDuringWrite();
  await expect(journal.append(ends[0]!)).rejects.toThrow('ENOSPC');
  const next = admitted();
  await journal.append(next);
  expect(readFolder(dir)).toEqual([...requests, next, ends[0]]);
  fillDiskDuringWrite();
  await expect(journal.append(ends[1]!)).rejects.toThrow('ENOSPC');
  vi.advanceTimersByTime(1000);
  expect(readFolder(dir)).toEqual([...requests, next, ...ends]);
});

test('unwritten settlements are kept in memory up to a limit, and losses are reported', async () => {
  const { journal, problems, dir } = openTestJournal({ maxUnwrittenBytes: 1000 });
  writeSync.mockImplementation(fail('ENOSPC'));
  for (let count = 0; count < 30; count++) await expect(journal.append(settled())).rejects.toThrow('ENOSPC');
  expect(problems.map(({ kind }) => kind)).toContain('settlements-lost');
  writeSync.mockImplementation(disk.writeSync);
  await journal.append(settled());
  expect(readFolder(dir).length).toBeGreaterThan(3);
  expect(readFolder(dir).length).toBeLessThan(12);
});

test('the journal becomes healthy without traffic once the disk recovers', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { journal } = openTestJournal();
  fillDiskDuringWrite();
  await expect(journal.append(admitted())).rejects.toThrow('ENOSPC');
  writeSync.mockImplementationOnce(fail('ENOSPC'));
  vi.advanceTimersByTime(1000);
  expect(journal.isHealthy).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(journal.isHealthy).toBe(true);
});
