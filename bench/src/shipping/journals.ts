import { randomUUIDv7 } from 'node:crypto';
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Journal, lockOfRun } from '../../../server/src/gateway/journal/journal.ts';
import { toJournalRecord, toSettlement } from '../../../server/src/gateway/request-log/journal-record.ts';
import type { RequestRecord } from '../../../server/src/gateway/request-log/request-record.ts';

const waveRows = 200;
const tickMs = 50;
const pollMs = 20;

function open(dir: string): Journal {
  const onProblem = (problem: object) => {
    throw new Error('the journal cannot be written', { cause: problem });
  };
  return new Journal({ dir, maxBytes: 16e9, onProblem });
}

async function append(journal: Journal, records: readonly RequestRecord[]): Promise<void> {
  for (const record of records) void journal.append(toJournalRecord('admitted', record, 'full'));
  await Promise.all(records.map((record) => journal.append(toSettlement(record, 'full', 0))));
}

export async function writeJournal(dir: string, count: number, draw: () => RequestRecord): Promise<string> {
  const runDir = join(dir, 'written', `run-${randomUUIDv7()}`);
  const journal = open(runDir);
  for (let written = 0; written < count; written += waveRows) {
    await append(journal, Array.from({ length: Math.min(waveRows, count - written) }, draw));
  }
  journal.close();
  return runDir;
}

/** Copies a journal into the folder of a shipper in one step. Resolves when the journal is shipped completely. */
export async function shipCopy(runDir: string, slotDir: string): Promise<void> {
  const name = runDir.slice(dirname(runDir).length + 1);
  const copy = join(dirname(slotDir), name);
  cpSync(runDir, copy, { recursive: true });
  renameSync(copy, join(slotDir, name));
  await awaitShipped(join(slotDir, name));
}

/** Writes requests at a fixed rate while they are shipped. Resolves when all requests are shipped. */
export async function shipAtRate(
  slotDir: string,
  records: readonly RequestRecord[],
  perSecond: number,
): Promise<void> {
  const runDir = join(slotDir, `run-${randomUUIDv7()}`);
  const journal = open(runDir);
  const beganAtMs = performance.now();
  for (let sent = 0; sent < records.length; ) {
    const due = Math.ceil(((performance.now() - beganAtMs) * perSecond) / 1000);
    await append(journal, records.slice(sent, due));
    sent = Math.max(sent, due);
    await delay(tickMs);
  }
  journal.close();
  await awaitShipped(runDir);
}

async function awaitShipped(runDir: string): Promise<void> {
  while (existsSync(runDir)) await delay(pollMs);
}

export function deleteJournal(runDir: string): void {
  rmSync(runDir, { recursive: true, force: true });
  rmSync(lockOfRun(runDir), { force: true });
}
