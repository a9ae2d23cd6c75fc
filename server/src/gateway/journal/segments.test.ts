import * as fs from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { admitted, openTestJournal, readFolder, settled } from '../../../test/journal-fixture.ts';

vi.mock('node:fs', async (importOriginal) => {
  const actual = await importOriginal<typeof fs>();
  return {
    ...actual,
    writeSync: vi.fn(actual.writeSync),
    fdatasyncSync: vi.fn(actual.fdatasyncSync),
    fsyncSync: vi.fn(actual.fsyncSync),
    ftruncateSync: vi.fn(actual.ftruncateSync),
  };
});

const disk = await vi.importActual<typeof fs>('node:fs');
const writeSync = vi.mocked(fs.writeSync);
const fdatasyncSync = vi.mocked(fs.fdatasyncSync);

afterEach(() => {
  vi.useRealTimers();
  vi.resetAllMocks();
});

const fail = (code: string) => () => {
  throw Object.assign(new Error(code), { code });
};

/** The next write gets half of its bytes onto the disk before there is no space left. */
function fillDiskDuringWrite(): void {
  const writeHalf = (fd: number, bytes: Buffer, offset: number, length: number, position: number) =>
    disk.writeSync(fd, bytes, offset, length >> 1, position);
  writeSync.mockImplementationOnce(writeHalf as typeof fs.writeSync).mockImplementationOnce(fail('ENOSPC'));
}

test('all records of a turn are one write', async () => {
  const { journal } = openTestJournal();
  await journal.append(admitted());
  writeSync.mockClear();
  await Promise.all(Array.from({ length: 500 }, () => journal.append(admitted())));
  expect(writeSync).toHaveBeenCalledTimes(1);
});

test('a short write is continued', async () => {
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

test('a batch is synced before its appends resolve, and so is the name of a new file', async () => {
  const { journal } = openTestJournal({ syncEveryBatch: true });
  const appended = journal.append(admitted()).then(() => fdatasyncSync.mock.calls.length);
  expect(await appended).toBe(1);
  expect(fs.fsyncSync).toHaveBeenCalledTimes(1);
});

test('without the option nothing is synced', async () => {
  const { journal } = openTestJournal();
  await journal.append(admitted());
  expect(fdatasyncSync).not.toHaveBeenCalled();
});

test.each([
  ['the disk fills up during a write', {}, fillDiskDuringWrite],
  ['a sync fails', { syncEveryBatch: true }, () => fdatasyncSync.mockImplementationOnce(fail('EIO'))],
])('when %s, the batch is refused and everything before and after is kept', async (_, options, breakDisk) => {
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

test('a torn batch that cannot be cut off spoils nothing that is written later', async () => {
  const { dir, journal } = openTestJournal();
  const [before, after] = [admitted(), admitted()];
  await journal.append(before);
  fillDiskDuringWrite();
  vi.mocked(fs.ftruncateSync).mockImplementationOnce(fail('EIO'));
  await expect(journal.append(admitted())).rejects.toThrow('ENOSPC');
  await journal.append(after);
  expect(readFolder(dir)).toEqual([before, after]);
});

test('a full disk leaves no empty segments behind, however often it is tried', async () => {
  const { dir, journal, problems } = openTestJournal();
  for (let tries = 0; tries < 5; tries++) {
    writeSync.mockImplementationOnce(disk.writeSync);
    fillDiskDuringWrite();
    await expect(journal.append(admitted())).rejects.toThrow('ENOSPC');
  }
  await expect.poll(() => fs.readdirSync(dir)).toEqual([]);
  expect(problems).toHaveLength(1);
});

test('a segment that cannot even be begun leaves no file behind', async () => {
  const { dir, journal } = openTestJournal();
  fillDiskDuringWrite();
  await expect(journal.append(admitted())).rejects.toThrow('ENOSPC');
  expect(fs.readdirSync(dir)).toEqual([]);
});

test('a settlement that could not be written is written with the next record, or once the disk takes it', async () => {
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

test('while nothing can be written, settlements are kept within bounds, and what is lost is told', async () => {
  const { journal, problems, dir } = openTestJournal({ maxUnwrittenBytes: 1000 });
  writeSync.mockImplementation(fail('ENOSPC'));
  for (let count = 0; count < 30; count++) await expect(journal.append(settled())).rejects.toThrow('ENOSPC');
  expect(problems.map(({ kind }) => kind)).toContain('settlements-lost');
  writeSync.mockImplementation(disk.writeSync);
  await journal.append(settled());
  expect(readFolder(dir).length).toBeGreaterThan(3);
  expect(readFolder(dir).length).toBeLessThan(12);
});

test('health comes back without traffic once the disk takes writes again', async () => {
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
