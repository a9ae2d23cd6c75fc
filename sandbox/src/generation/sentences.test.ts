import { expect, test } from 'vitest';
import { composeSentences, seedOf } from './sentences.ts';
import { splitTokens } from './tokens.ts';

const seed = seedOf('sandbox-normal', 'Hello');

test('every requested number of tokens is met, counted by the token rule', () => {
  for (let count = 0; count <= 100; count++) {
    const pieces = composeSentences(seed, count);
    expect(splitTokens(pieces.join(''))).toEqual(pieces);
    expect(pieces).toHaveLength(count);
  }
});

test('an answer is readable sentences that end with a full stop', () => {
  expect(composeSentences(seed, 40).join('')).toMatch(/^([A-Z][a-z]*(,? [a-z]+)+\. ?){5}$/);
});

test('the same seed gives the same text, another prompt another one', () => {
  expect(composeSentences(seed, 40)).toEqual(composeSentences(seed, 40));
  expect(composeSentences(seedOf('sandbox-normal', 'Hello!'), 40)).not.toEqual(composeSentences(seed, 40));
});

test('where one part of a seed ends matters', () => {
  expect(seedOf('ab', 'c')).not.toBe(seedOf('a', 'bc'));
});
