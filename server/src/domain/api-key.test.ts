import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { formatApiKey, isApiKey, maskApiKey } from './api-key.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const makeKey = () => formatApiKey(randomBytes(64));

describe('API keys', () => {
  it('formatApiKey returns slc_ and 36 base62 characters', () => {
    expect(makeKey()).toMatch(/^slc_[0-9A-Za-z]{36}$/);
  });

  it('isApiKey accepts a key and rejects it if any single character is changed', () => {
    const key = makeKey();
    expect(isApiKey(key)).toBe(true);
    for (let place = 4; place < key.length; place++) {
      const other = key[place] === 'a' ? 'b' : 'a';
      expect(isApiKey(key.slice(0, place) + other + key.slice(place + 1)), `place ${place}`).toBe(false);
    }
  });

  it('formatApiKey ends a key of zero bytes with the documented checksum', () => {
    expect(formatApiKey(new Uint8Array(30))).toBe('slc_0000000000000000000000000000002C8GjS');
  });

  it('the documented pattern for secret scanners finds a complete key in a text', () => {
    const document = readFileSync(new URL('../../../docs/operating/sign-in.md', import.meta.url), 'utf8');
    const pattern = /^```\n(\\bslc_.*)\n```$/m.exec(document)?.[1] ?? expect.fail('no pattern');
    const key = makeKey();
    expect(`export SLUICE_KEY=${key};`.match(new RegExp(pattern))?.[0]).toBe(key);
    expect(isApiKey(`slc_${'0'.repeat(30)}2C8GjS`)).toBe(true);
    expect(document).toContain('`2C8GjS`');
  });

  it('formatApiKey uses each character about equally often', () => {
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
    // With 61 degrees of freedom, an unbiased generator exceeds 140 in one of ten million runs. A bias of one residue
    // results in more than 2,000.
    expect(chiSquare).toBeLessThan(140);
  });

  it('isApiKey rejects 100,000 random strings of the same format', () => {
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
  ])('isApiKey rejects %j', (candidate) => {
    expect(isApiKey(candidate)).toBe(false);
  });

  it('isApiKey rejects a key with surrounding white space', () => {
    const key = makeKey();
    expect([` ${key}`, `${key} `, `${key}\n`].some(isApiKey)).toBe(false);
  });
});

describe('formatApiKey input', () => {
  it('formatApiKey skips bytes that would bias the characters', () => {
    const bytes = new Uint8Array(60).fill(255, 0, 30);
    expect(formatApiKey(bytes).slice(4, 34)).toBe('0'.repeat(30));
  });

  it('formatApiKey throws if there are too few random bytes', () => {
    expect(() => formatApiKey(new Uint8Array(29))).toThrow(RangeError);
    expect(() => formatApiKey(new Uint8Array(64).fill(250))).toThrow(RangeError);
  });
});

it('maskApiKey shows only the last four characters', () => {
  expect(maskApiKey('wxyz')).toBe('slc_…wxyz');
});
