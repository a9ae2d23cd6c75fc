import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countTokens, splitTokens } from './prompt.ts';

test('splitTokens counts a word or other visible character with its leading white space as one token', () => {
  expect(splitTokens('Hello,  wörld_2!')).toEqual(['Hello', ',', '  wörld_2', '!']);
  expect(splitTokens(' \n')).toEqual([' \n']);
  expect(splitTokens('')).toEqual([]);
});

test('splitTokens returns tokens that join to the original text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const tokens = splitTokens(text);
      expect(tokens.join('')).toBe(text);
      expect(countTokens(text)).toBe(tokens.length);
    }),
  );
});

test('splitTokens does not split a surrogate pair', () => {
  expect(splitTokens('👍🏽 ok')).toEqual(['👍', '🏽', ' ok']);
});

test('countTokens handles runs of a million spaces', () => {
  const spaces = ' '.repeat(1_000_000);
  expect(countTokens(`${spaces}end${spaces}`)).toBe(2);
});
