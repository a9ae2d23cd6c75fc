import { randomUUIDv7 } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const slotName = /^slot-\d+$/;
const folderMode = 0o700;

/** Creates the folders of `count` slots; they are private, since journals hold prompts. */
export function makeSlotDirs(journalDir: string, count: number): string[] {
  const dirs = Array.from({ length: count }, (_, slot) => join(journalDir, `slot-${slot}`));
  for (const dir of dirs) mkdirSync(dir, { recursive: true, mode: folderMode });
  return dirs;
}

/** Returns all existing slots, including those that are no longer used. */
export function listSlotDirs(journalDir: string): string[] {
  return readdirSync(journalDir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && slotName.test(entry.name))
    .map((entry) => join(journalDir, entry.name));
}

/**
 * Throws if a killed process of an earlier version left a journal in a format that only that version reads. A version
 * that stopped normally leaves none.
 */
export function refuseFormerJournals(slotDirs: readonly string[]): void {
  const former = slotDirs.find((dir) => readdirSync(dir).some((name) => name.endsWith('.journal')));
  if (!former) return;
  throw new Error(
    `${former} holds requests that an earlier version has not written to the database. Start that version once more and stop it (SIGTERM); then start this one. Or delete the folder: these requests then have no log row.`,
  );
}

/** Returns a new journal folder for a worker of a slot; names sort by start time. */
export function nameRun(slotDir: string): string {
  return join(slotDir, `run-${randomUUIDv7()}`);
}
