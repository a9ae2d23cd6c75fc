import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countTokens, splitTokens } from './tokens.ts';

test('a word or another visible character is one token and carries the white space before it', () => {
  expect(splitTokens('Hello,  wörld_2!')).toEqual(['Hello', ',', '  wörld_2', '!']);
  expect(splitTokens(' \n')).toEqual([' \n']);
  expect(splitTokens('')).toEqual([]);
});

test('tokens joined again are the text, whatever the text is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const tokens = splitTokens(text);
      expect(tokens.join('')).toBe(text);
      expect(countTokens(text)).toBe(tokens.length);
    }),
  );
});

test('no token ends within a character', () => {
  expect(splitTokens('👍🏽 ok')).toEqual(['👍', '🏽', ' ok']);
});

test('a long run of white space costs no more than its length', () => {
  const spaces = ' '.repeat(1_000_000);
  expect(countTokens(`${spaces}end${spaces}`)).toBe(2);
});
