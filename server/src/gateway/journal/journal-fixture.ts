import { randomUUIDv7 } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Journal, type JournalOptions, openJournal } from '#gateway/journal/journal.ts';
import type { AdmittedRecord, JournalProblem, SettledRecord } from '#gateway/journal/record.ts';
import { listSegments, readSegment } from '#gateway/journal/segment-file.ts';

export interface Admitted {
  holdTokens: number;
}
export interface Settled {
  answer: string;
}

export const admitted = (id: string = randomUUIDv7()): AdmittedRecord<Admitted> => ({
  kind: 'admitted',
  id,
  data: { holdTokens: 64 },
});

export const settled = (id: string = randomUUIDv7(), answer = 'fine'): SettledRecord<Settled> => ({
  kind: 'settled',
  id,
  data: { answer },
});

export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'sluice-journal-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** All records of a folder, as a reader finds them. */
export async function readFolder(dir: string) {
  const records = [];
  for (const file of listSegments(dir)) {
    for await (const { record } of readSegment<Admitted, Settled>(file)) records.push(record);
  }
  return records;
}

export function openTestJournal(options: Partial<JournalOptions> = {}) {
  const dir = options.dir ?? temporaryFolder();
  const problems: JournalProblem[] = [];
  const onProblem = (problem: JournalProblem) => problems.push(problem);
  const journal: Journal<Admitted, Settled> = openJournal({ dir, onProblem, ...options });
  onTestFinished(() => journal.close());
  return { dir, journal, problems, onProblem };
}

/** Keeps the first row of an id, as an INSERT with ON CONFLICT DO NOTHING does, and can be away. */
export function fakeDatabase() {
  const rows = new Map<string, 'admitted' | 'settled'>();
  const database = {
    rows,
    batches: [] as string[][],
    isAway: false,
    insert: async (batch: { kind: 'admitted' | 'settled'; id: string }[]) => {
      database.batches.push(batch.map(({ id }) => id));
      if (database.isAway) throw new Error('connection refused');
      for (const { id, kind } of batch) if (!rows.has(id)) rows.set(id, kind);
    },
  };
  return database;
}
