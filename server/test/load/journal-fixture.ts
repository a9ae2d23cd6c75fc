import { randomUUIDv7 } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { JournalProblem, JournalRecord } from '#gateway/journal/frame.ts';
import { Journal, type JournalOptions } from '#gateway/journal/journal.ts';
import { listSegments } from '#gateway/journal/segment-files.ts';
import { readFrames } from '#shipper/read-frames.ts';

export const admitted = (id: string = randomUUIDv7()): JournalRecord => ({
  kind: 'admitted',
  id,
  data: { holdTokens: 64 },
  texts: {},
});

export const settled = (id: string = randomUUIDv7(), answer = 'fine'): JournalRecord => ({
  kind: 'settled',
  id,
  data: { status: 200 },
  texts: { answer },
});

export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-journal-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

const everything = { settledRows: 100_000, bytes: 64 * 1024 * 1024 };

export function readFolder(dir: string): JournalRecord[] {
  return listSegments(dir).flatMap(({ path }) => readFrames(path, 0, everything).records);
}

export function openTestJournal(options: Partial<JournalOptions> = {}) {
  const dir = options.dir ?? join(temporaryFolder(), 'slot-0', 'run-1');
  const problems: JournalProblem[] = [];
  const onProblem = (problem: JournalProblem) => problems.push(problem);
  const journal = new Journal({ dir, onProblem, ...options });
  onTestFinished(() => journal.close());
  return { dir, journal, problems, onProblem };
}
