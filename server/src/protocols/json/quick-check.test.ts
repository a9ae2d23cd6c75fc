import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { bodySchemas, garbledBodies, judgeBody, sentBodies } from '../../../test/quick-checks.ts';
import { fitsUnchanged } from './quick-check.ts';

describe.each(Object.entries(bodySchemas))('quick check of %s', (_, schema) => {
  it('quick check agrees with the schema on what clients send', () => {
    const wrong = sentBodies.filter((body) => {
      const { isQuick, isFit } = judgeBody(schema, body);
      return isQuick !== isFit;
    });
    expect(wrong).toEqual([]);
    expect(sentBodies.some((body) => fitsUnchanged(schema, body))).toBe(true);
  });

  it('quick check accepts nothing that the schema rejects or changes', () => {
    fc.assert(
      fc.property(garbledBodies, (body) => {
        const { isQuick, isFit } = judgeBody(schema, body);
        expect(isFit || !isQuick).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

it.each<[string, z.ZodType, unknown]>([
  ['a transformation', z.string().transform((text) => text.length), 'a'],
  ['a default', z.string().default('b'), undefined],
  ['a check that it does not know', z.string().trim(), ' a '],
  [
    'an option behind one that changes what it takes',
    z.union([z.string().transform(Number), z.string()]),
    'a',
  ],
  ['a field that is left out', z.object({ a: z.string() }), { a: 'a', b: 'b' }],
  ['a name that is left out', z.looseObject({}), JSON.parse('{"__proto__":1}')],
])('quick check leaves %s to the schema', (_, schema, value) => {
  expect(fitsUnchanged(schema, value)).toBe(false);
});
