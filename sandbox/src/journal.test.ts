import { expect, test } from 'vitest';
import { createJournal, type JournalEntry, tokensWithin } from './journal.ts';

const fields = {
  requestId: null,
  model: 'sandbox-normal',
  stream: false,
  protocol: 'openai-chat',
  operation: 'generate',
  promptTokens: 1,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  completionTokens: 2,
  reasoningTokens: 0,
  bodyBytes: 9,
  frames: [],
  outcome: 'completed',
  startedAt: 1,
  endedAt: 2,
} satisfies Omit<JournalEntry, 'sequence'>;

function sequences(journal: ReturnType<typeof createJournal>): number[] {
  return journal.entries().map(({ sequence }) => sequence);
}

test('createJournal drops the oldest entries when full and keeps the order', () => {
  const journal = createJournal(3);
  for (let count = 0; count < 8; count++) journal.append(fields);
  expect(sequences(journal)).toEqual([6, 7, 8]);
});

test('clear empties the journal without resetting sequence numbers', () => {
  const journal = createJournal(3);
  for (let count = 0; count < 4; count++) journal.append(fields);
  journal.clear();
  expect(sequences(journal)).toEqual([]);
  for (let count = 0; count < 4; count++) journal.append(fields);
  expect(sequences(journal)).toEqual([6, 7, 8]);
});

test('waitFor finds existing and future entries', async () => {
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

test('tokensWithin returns the tokens of the first frames of a stream', () => {
  const frames = [
    { count: 2, tokensEach: 0 },
    { count: 3, tokensEach: 1 },
    { count: 1, tokensEach: 7 },
  ];
  const entry = { ...fields, sequence: 1, frames };
  expect([0, 2, 4, 5, 6, 99].map((count) => tokensWithin(entry, count))).toEqual([0, 0, 2, 3, 10, 10]);
});
