import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLongNumber, parseExactly } from './exact-json.ts';

const rewrite = (text: string) => JSON.stringify(parseExactly(text));

describe('parseExactly', () => {
  it('parseExactly keeps the digits of numbers that a double cannot represent, at any depth', () => {
    const text = '{"id":12345678901234567890,"list":[-98765432109876543210,{"deep":0.12345678901234567891}]}';
    expect(rewrite(text)).toBe(text);
  });

  it('parseExactly parses everything else like JSON.parse', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(rewrite(text)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('parseExactly ignores digits inside strings', () => {
    const text = '{"12345678901234567890":"12345678901234567890"}';
    expect(parseExactly(text)).toEqual(JSON.parse(text));
  });

  it('isLongNumber distinguishes a preserved number from an object', () => {
    const { id, short, object } = parseExactly(
      '{"id":12345678901234567890,"short":1,"object":{"rawJSON":"1"}}',
    ) as Record<string, unknown>; // safe because `text` represents an object
    expect([id, short, object].map(isLongNumber)).toEqual([true, false, false]);
  });

  it('parseExactly throws on invalid JSON', () => {
    expect(() => parseExactly('{')).toThrow(SyntaxError);
    expect(() => parseExactly('{"a":1234567890123456789012')).toThrow(SyntaxError);
  });
});
