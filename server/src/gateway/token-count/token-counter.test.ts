import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '#platform/logger.ts';
import { watchLoop } from '#test/processes/loop-watch.ts';
import { cutText, pieceLettersMax } from './cut-text.ts';
import { createTokenCounter, type TokenCounter } from './token-counter.ts';

/** A new thread first loads the vocabulary, which on a busy machine may take longer than the timeout of a count. */
const patience = { timeout: 20_000 };

let counter: TokenCounter;
beforeAll(() => {
  counter = createTokenCounter(createLogger('error', { write: () => undefined }));
});
afterAll(() => counter.close());

describe('TokenCounter', () => {
  it('TokenCounter counts exactly by the vocabulary, treating conversation markers as text', async () => {
    const texts = ['The quick brown fox jumps over the lazy dog.', 'Hello, world!'];
    await expect.poll(() => counter.count(texts), patience).toBe(14);
    expect(await counter.count(['<|endoftext|>'])).toBeGreaterThan(1);
    expect(await counter.count([])).toBe(0);
  });

  it('TokenCounter counts a long text by its pieces, slightly above the exact count', async () => {
    const sentence = 'The quick brown fox jumps over the lazy dog. ';
    const tokens = await counter.count([sentence.repeat(1_000)]);
    expect(tokens).toBeGreaterThanOrEqual(10_000);
    expect(tokens).toBeLessThan(10_150);
  });

  it.each([
    ['one letter', 'a'.repeat(250_000)],
    ['blanks', ' '.repeat(250_000)],
    ['noise', Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('base64')],
  ])('TokenCounter counts %s in time and blocks the event loop for less than 50 ms', async (_, text) => {
    await counter.count(['warm']);
    const { heldMs } = await watchLoop(async () => {
      expect(await counter.count([text])).toBeGreaterThan(100);
    });
    expect(heldMs).toBeLessThan(50);
  });

  it('TokenCounter skips texts that would take too long to count, and does not queue many concurrent counts', async () => {
    expect(await counter.count(['a'.repeat(10_000_000)])).toBeNull();
    const answers = await Promise.all(Array.from({ length: 40 }, () => counter.count(['Hello'])));
    expect(new Set(answers)).toEqual(new Set([1, null]));
  });

  it('TokenCounter uses a new thread after one was closed', async () => {
    await counter.close();
    await expect.poll(() => counter.count(['Hello']), patience).toBe(1);
  });
});

describe('cutText', () => {
  it.each([
    ['1,000 words', 'word '.repeat(1_000)],
    ['one long word', 'x'.repeat(5_000)],
    ['2,000 emojis', '😀'.repeat(2_000)],
    ['an empty text', ''],
    ['a short text', 'short'],
  ])('cutText of %s returns well-formed pieces that add up to the whole text', (_, text) => {
    const pieces = [...cutText(text)];
    expect(pieces.join('')).toBe(text);
    expect(pieces.every((piece) => piece.length <= pieceLettersMax && piece.isWellFormed())).toBe(true);
  });
});
