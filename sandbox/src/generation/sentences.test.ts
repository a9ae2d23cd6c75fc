import { expect, test } from 'vitest';
import { splitTokens } from './prompt.ts';
import { composeSentences, seedOf } from './sentences.ts';

const seed = seedOf('sandbox-normal', 'Hello');

test('composeSentences returns exactly the requested number of tokens', () => {
  for (let count = 0; count <= 100; count++) {
    const pieces = composeSentences(seed, count);
    expect(splitTokens(pieces.join(''))).toEqual(pieces);
    expect(pieces).toHaveLength(count);
  }
});

test('composeSentences returns readable sentences that end with a period', () => {
  expect(composeSentences(seed, 40).join('')).toMatch(/^([A-Z][a-z]*(,? [a-z]+)+\. ?){5}$/);
});

test('composeSentences returns the same text for the same seed only', () => {
  expect(composeSentences(seed, 40)).toEqual(composeSentences(seed, 40));
  expect(composeSentences(seedOf('sandbox-normal', 'Hello!'), 40)).not.toEqual(composeSentences(seed, 40));
});

test('seedOf depends on where its parts are split', () => {
  expect(seedOf('ab', 'c')).not.toBe(seedOf('a', 'bc'));
});
