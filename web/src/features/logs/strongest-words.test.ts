import { expect, it } from 'vitest';
import { findStrongestWords } from './drawer.tsx';

it('findStrongestWords adds up repeated words and omits words without weight', () => {
  const words = [
    { text: 'Fix', start: 0, end: 3, weight: 0.5 },
    { text: 'bug', start: 8, end: 11, weight: -0.8 },
    { text: 'fix', start: 13, end: 16, weight: 0.5 },
    { text: 'it', start: 17, end: 19, weight: -0.001 },
  ];
  expect(findStrongestWords(words, 3)).toEqual([
    { text: 'fix', weight: 1 },
    { text: 'bug', weight: -0.8 },
  ]);
  expect(findStrongestWords(words, 1)).toEqual([{ text: 'fix', weight: 1 }]);
});
