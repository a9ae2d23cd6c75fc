import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { JournalProblem, JournalRecord } from '#gateway/journal/frame.ts';
import { temporaryFolder } from '#test/load/journal-fixture.ts';
import { isFullSize } from '#test/load/sample.ts';
import { Run } from './run.ts';

const rounds = isFullSize ? 30 : 10;
const shippingRounds = isFullSize ? 10 : 4;
const longestLifeMs = 60;

async function runUntilKilled(...args: string[]): Promise<string[]> {
  const acknowledgements = `${temporaryFolder()}/acknowledged`;
  const stdout = openSync(acknowledgements, 'w');
  const subject = fork(new URL('./crash-subject.ts', import.meta.url), args, {
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
    execArgv: [],
  });
  closeSync(stdout);
  const exited = once(subject, 'exit');
  await once(subject, 'message');
  // Intentional delay: the kill must happen at a random moment.
  await after(Math.random() * longestLifeMs);
  subject.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
  return readLines(acknowledgements);
}

function readLines(path: string): string[] {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

/** Returns the shipped records as `kind id`. A kill leaves at most one torn frame, at the end of the file. */
async function shipRest(dir: string): Promise<string[]> {
  if (!existsSync(dir)) return [];
  const rows: string[] = [];
  const keep = async (batch: readonly JournalRecord[]) => {
    rows.push(...batch.map(({ kind, id }) => `${kind} ${id}`));
  };
  const onProblem = ({ kind }: JournalProblem) => expect(kind).toBe('segment-torn');
  const destination = {
    shipSettled: keep,
    shipInterrupted: keep,
    findShipped: async () => [],
    releaseNodes: async () => {},
    removePosition: async () => {},
  };
  expect(await new Run(dir, destination, onProblem).ship()).toBe(true);
  return rows;
}

function insertAll(rows: string[]): Map<string, string> {
  const table = new Map<string, string>();
  for (const [kind = '', id = ''] of rows.map((row) => row.split(' ')))
    if (!table.has(id)) table.set(id, kind);
  return table;
}

function expectAllKept(acknowledged: string[], table: Map<string, string>): void {
  const lost = acknowledged.filter((row) => {
    const [kind, id = ''] = row.split(' ');
    return kind === 'settled' ? table.get(id) !== 'settled' : !table.has(id);
  });
  expect(lost).toEqual([]);
}

test(`the journal replays every acknowledged record exactly once after kill -9, in ${rounds} rounds`, async () => {
  let acknowledgedRows = 0;
  for (let round = 0; round < rounds; round++) {
    const dir = join(temporaryFolder(), 'run-1');
    const acknowledged = await runUntilKilled(dir);
    const replayed = await shipRest(dir);
    const table = insertAll(replayed);
    expect(replayed).toHaveLength(table.size);
    expectAllKept(acknowledged, table);
    expect(readdirSync(dirname(dir))).toEqual([]);
    acknowledgedRows += acknowledged.length;
  }
  expect(acknowledgedRows).toBeGreaterThan(rounds);
});

test(`shipped and replayed records create every row exactly once after kill -9 while shipping, in ${shippingRounds} rounds`, async () => {
  let shippedRows = 0;
  for (let round = 0; round < shippingRounds; round++) {
    const dir = join(temporaryFolder(), 'run-1');
    const database = `${temporaryFolder()}/rows`;
    const acknowledged = await runUntilKilled(dir, database);
    const shipped = readLines(database);
    expect(shipped).toHaveLength(insertAll(shipped).size);
    expectAllKept(acknowledged, insertAll([...shipped, ...(await shipRest(dir))]));
    expect(readdirSync(dirname(dir))).toEqual([]);
    shippedRows += shipped.length;
  }
  expect(shippedRows).toBeGreaterThan(shippingRounds);
});
