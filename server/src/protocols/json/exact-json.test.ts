import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLongNumber, parseExactly } from './exact-json.ts';

const rewrite = (text: string) => JSON.stringify(parseExactly(text));

describe('parseExactly', () => {
  it('keeps the digits of numbers that a double cannot hold, at any depth', () => {
    const text = '{"id":12345678901234567890,"list":[-98765432109876543210,{"deep":0.12345678901234567891}]}';
    expect(rewrite(text)).toBe(text);
  });

  it('reads everything else as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(rewrite(text)).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('is not led astray by digits inside strings', () => {
    const text = '{"12345678901234567890":"12345678901234567890"}';
    expect(parseExactly(text)).toEqual(JSON.parse(text));
  });

  it('tells a number that it kept apart from an object', () => {
    const { id, short, object } = parseExactly(
      '{"id":12345678901234567890,"short":1,"object":{"rawJSON":"1"}}',
    ) as Record<string, unknown>; // safe because the text is an object
    expect([id, short, object].map(isLongNumber)).toEqual([true, false, false]);
  });

  it('throws on what is not JSON', () => {
    expect(() => parseExactly('{')).toThrow(SyntaxError);
    expect(() => parseExactly('{"a":1234567890123456789012')).toThrow(SyntaxError);
  });
});
