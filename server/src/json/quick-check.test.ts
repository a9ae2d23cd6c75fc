import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sampleRuns } from '#test/load/sample.ts';
import { bodySchemas, garbledBodies, judgeBody, sentBodies } from '#test/requests/quick-checks.ts';
import { fitsUnchanged } from './quick-check.ts';

describe.each(Object.entries(bodySchemas))('quick check of %s', (_, schema) => {
  it('quick check agrees with the schema on typical client requests', () => {
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
      { numRuns: sampleRuns(500) },
    );
  });
});

it.each<[string, z.ZodType, unknown]>([
  ['a transformation', z.string().transform((text) => text.length), 'a'],
  ['a default', z.string().default('b'), undefined],
  ['an unsupported check', z.string().trim(), ' a '],
  ['an option after one that changes its value', z.union([z.string().transform(Number), z.string()]), 'a'],
  ['a missing field', z.object({ a: z.string() }), { a: 'a', b: 'b' }],
  ['a dropped name', z.looseObject({}), JSON.parse('{"__proto__":1}')],
])('fitsUnchanged returns false for %s, which the schema must decide', (_, schema, value) => {
  expect(fitsUnchanged(schema, value)).toBe(false);
});
