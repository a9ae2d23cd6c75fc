import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type FileLock, waitForFileLock } from '#platform/file-lock.ts';

const slotName = /^slot-\d+$/;
const folderMode = 0o700;
// The worker of a killed supervisor holds its slot until it has noticed.
const lockTimeoutMs = 15_000;

/** Makes the folders of `count` slots; they are private, since journals hold prompts. */
export function makeSlotDirs(journalDir: string, count: number): string[] {
  const dirs = Array.from({ length: count }, (_, slot) => join(journalDir, `slot-${slot}`));
  for (const dir of dirs) mkdirSync(dir, { recursive: true, mode: folderMode });
  return dirs;
}

/** Every slot that there is, also those of former workers that are no longer wanted. */
export function listSlotDirs(journalDir: string): string[] {
  return readdirSync(journalDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && slotName.test(entry.name))
    .map((entry) => join(journalDir, entry.name));
}

/** The right to use a slot's folder, held until the process ends. It lies beside the folder, which is the journal's. */
export function lockSlot(dir: string): Promise<FileLock> {
  const canWait = (_: unknown, waitedMs: number) => waitedMs < lockTimeoutMs;
  return waitForFileLock(`${dir}.lock`, `The journal slot ${dir}`, canWait);
}
