import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formatApiKey, isApiKey, maskApiKey } from './api-key.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const makeKey = () => formatApiKey(randomBytes(64));

describe('an API key', () => {
  it('is slc_ and 36 base62 characters, one word to a double click', () => {
    expect(makeKey()).toMatch(/^slc_[0-9A-Za-z]{36}$/);
  });

  it('is recognised, and is not once any one character changed', () => {
    const key = makeKey();
    expect(isApiKey(key)).toBe(true);
    for (let place = 4; place < key.length; place++) {
      const other = key[place] === 'a' ? 'b' : 'a';
      expect(isApiKey(key.slice(0, place) + other + key.slice(place + 1)), `place ${place}`).toBe(false);
    }
  });

  it('always has the same checksum, so that scanners may rely on it', () => {
    expect(formatApiKey(new Uint8Array(30))).toBe('slc_0000000000000000000000000000002C8GjS');
  });

  it('uses each character about equally often', () => {
    const counts = new Map<string, number>();
    const keys = 20_000;
    for (let made = 0; made < keys; made++) {
      for (const character of makeKey().slice(4, 34)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    const expected = (keys * 30) / 62;
    const chiSquare = [...alphabet].reduce((sum, character) => {
      const deviation = (counts.get(character) ?? 0) - expected;
      return sum + (deviation * deviation) / expected;
    }, 0);
    // 61 degrees of freedom: one fair run in ten million is above 140, a bias of one residue is above 2,000.
    expect(chiSquare).toBeLessThan(140);
  });

  it('is not mistaken in 100,000 random strings of its shape', () => {
    const accepted = Array.from({ length: 100_000 }, () => {
      const characters = Array.from(randomBytes(36), (byte) => alphabet.charAt(byte % 62));
      return `slc_${characters.join('')}`;
    }).filter(isApiKey);
    expect(accepted).toEqual([]);
  });

  it.each([
    '',
    'slc_',
    'sk-0123456789',
    `slc_${'a'.repeat(35)}`,
    `slc_${'a'.repeat(37)}`,
    `xslc_${'a'.repeat(36)}`,
  ])('is not %j', (candidate) => {
    expect(isApiKey(candidate)).toBe(false);
  });

  it('is refused with white space around it', () => {
    const key = makeKey();
    expect([` ${key}`, `${key} `, `${key}\n`].some(isApiKey)).toBe(false);
  });
});

describe('making a key', () => {
  it('skips bytes that would favour some characters', () => {
    const bytes = new Uint8Array(60).fill(255, 0, 30);
    expect(formatApiKey(bytes).slice(4, 34)).toBe('0'.repeat(30));
  });

  it('refuses to work with too few random bytes', () => {
    expect(() => formatApiKey(new Uint8Array(29))).toThrow(RangeError);
    expect(() => formatApiKey(new Uint8Array(64).fill(250))).toThrow(RangeError);
  });
});

it('is shown by its last four characters only', () => {
  expect(maskApiKey('wxyz')).toBe('slc_…wxyz');
});
