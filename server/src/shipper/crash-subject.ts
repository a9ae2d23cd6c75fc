// Subject of the crash test: a gateway reduced to its journal. Prints every acknowledged record until the test kills
// it.
import { randomUUIDv7 } from 'node:crypto';
import { appendFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { JournalProblem, JournalRecord } from '#gateway/journal/frame.ts';
import { Journal } from '#gateway/journal/journal.ts';
import { startShipper } from './shipper.ts';

const standardOutput = 1;
const turnRows = 20;
const [dir = '', databasePath] = process.argv.slice(2);

const listOf = (records: readonly JournalRecord[]) =>
  records.map(({ kind, id }) => `${kind} ${id}\n`).join('');

const onProblem = ({ kind, error }: JournalProblem) => {
  throw new Error(kind, { cause: error });
};

const journal = new Journal({ dir, segmentBytes: 64 * 1024, onProblem });

async function append(records: JournalRecord[]): Promise<void> {
  await Promise.all(records.map((record) => journal.append(record)));
  writeSync(standardOutput, listOf(records));
}

if (databasePath) {
  const ship = async (batch: readonly JournalRecord[]) => appendFileSync(databasePath, listOf(batch));
  startShipper({
    slotDirs: [dirname(dir)],
    openDestination: () => ({
      shipSettled: ship,
      shipInterrupted: ship,
      findShipped: async () => [],
      releaseNodes: async () => {},
      removePosition: async () => {},
    }),
    intervalMs: 1,
    onProblem,
  });
}

process.send?.('started');
const [data, texts] = [{ status: 200 }, { text: 'x'.repeat(1000) }];
for (;;) {
  const ids = Array.from({ length: turnRows }, () => randomUUIDv7());
  await append(ids.map((id) => ({ kind: 'admitted', id, data, texts })));
  await append(ids.slice(1).map((id) => ({ kind: 'settled', id, data, texts })));
}
