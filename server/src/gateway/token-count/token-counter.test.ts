import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '#platform/logger.ts';
import { watchLoop } from '../../../test/loop-watch.ts';
import { cutText, pieceLettersMax } from './cut-text.ts';
import { createTokenCounter, type TokenCounter } from './token-counter.ts';

/** A new thread loads the vocabulary first; a busy machine may take longer for that than a count waits. */
const patience = { timeout: 20_000 };

let counter: TokenCounter;
beforeAll(() => {
  counter = createTokenCounter(createLogger('error', { write: () => undefined }));
});
afterAll(() => counter.close());

describe('a count of tokens', () => {
  it('is exact by the vocabulary, also of what looks like a marker', async () => {
    const texts = ['The quick brown fox jumps over the lazy dog.', 'Hello, world!'];
    await expect.poll(() => counter.count(texts), patience).toBe(14);
    expect(await counter.count(['<|endoftext|>'])).toBeGreaterThan(1);
    expect(await counter.count([])).toBe(0);
  });

  it('of a long text is that of its pieces, and hardly more than exact', async () => {
    const sentence = 'The quick brown fox jumps over the lazy dog. ';
    const tokens = await counter.count([sentence.repeat(1_000)]);
    expect(tokens).toBeGreaterThanOrEqual(10_000);
    expect(tokens).toBeLessThan(10_150);
  });

  it.each([
    ['one letter', 'a'.repeat(250_000)],
    ['blanks', ' '.repeat(250_000)],
    ['noise', Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64')],
  ])('of %s comes in time and holds the event loop for less than 50 ms', async (_, text) => {
    await counter.count(['warm']);
    const { heldMs } = await watchLoop(async () => {
      expect(await counter.count([text])).toBeGreaterThan(100);
    });
    expect(heldMs).toBeLessThan(50);
  });

  it('is not tried where it would take long, and many at once do not queue up', async () => {
    expect(await counter.count(['a'.repeat(10_000_000)])).toBeNull();
    const answers = await Promise.all(Array.from({ length: 40 }, () => counter.count(['Hello'])));
    expect(new Set(answers)).toEqual(new Set([1, null]));
  });

  it('comes from a new thread after one was closed', async () => {
    await counter.close();
    await expect.poll(() => counter.count(['Hello']), patience).toBe(1);
  });
});

describe('a cut text', () => {
  it.each(['word '.repeat(1_000), 'x'.repeat(5_000), '😀'.repeat(2_000), '', 'short'])(
    'is whole in its pieces',
    (text) => {
      const pieces = [...cutText(text)];
      expect(pieces.join('')).toBe(text);
      expect(pieces.every((piece) => piece.length <= pieceLettersMax && piece.isWellFormed())).toBe(true);
    },
  );
});
