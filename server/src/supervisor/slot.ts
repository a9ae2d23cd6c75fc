import { randomUUIDv7 } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const slotName = /^slot-\d+$/;
const folderMode = 0o700;

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

/**
 * Throws where a version that kept its journals otherwise has left one: it was killed, and nobody but itself can read what
 * it left. Once it has stopped in order, nothing of it is there.
 */
export function refuseFormerJournals(slotDirs: readonly string[]): void {
  const former = slotDirs.find((dir) => readdirSync(dir).some((name) => name.endsWith('.journal')));
  if (!former) return;
  throw new Error(
    `${former} holds requests that an earlier version has not written to the database. Start that version once more and stop it (SIGTERM); then start this one. Or delete the folder: these requests then have no log row.`,
  );
}

/** Where the next worker of a slot keeps its journal; the names are in the order of the starts. */
export function nameRun(slotDir: string): string {
  return join(slotDir, `run-${randomUUIDv7()}`);
}
