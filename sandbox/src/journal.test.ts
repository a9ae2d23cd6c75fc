import { expect, test } from 'vitest';
import { createJournal } from './journal.ts';

const fields = {
  requestId: null,
  model: 'sandbox-normal',
  stream: false,
  promptTokens: 1,
  completionTokens: 2,
  outcome: 'completed',
  startedAt: 1,
  endedAt: 2,
} as const;

function sequences(journal: ReturnType<typeof createJournal>): number[] {
  return journal.entries().map(({ sequence }) => sequence);
}

test('a full journal forgets its oldest entries and keeps the order', () => {
  const journal = createJournal(3);
  for (let count = 0; count < 8; count++) journal.append(fields);
  expect(sequences(journal)).toEqual([6, 7, 8]);
});

test('a cleared journal is empty, counts on and fills again', () => {
  const journal = createJournal(3);
  for (let count = 0; count < 4; count++) journal.append(fields);
  journal.clear();
  expect(sequences(journal)).toEqual([]);
  for (let count = 0; count < 4; count++) journal.append(fields);
  expect(sequences(journal)).toEqual([6, 7, 8]);
});

test('waiting for an entry finds the one that is there and the one to come', async () => {
  const journal = createJournal();
  journal.append({ ...fields, requestId: 'first' });
  await expect(journal.waitFor(({ requestId }) => requestId === 'first')).resolves.toMatchObject({
    sequence: 1,
  });
  const later = journal.waitFor(({ requestId }) => requestId === 'second');
  journal.append(fields);
  journal.append({ ...fields, requestId: 'second' });
  await expect(later).resolves.toMatchObject({ sequence: 3 });
});
