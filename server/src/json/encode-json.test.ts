import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Steps } from '#platform/steps.ts';
import { sampleRuns } from '#test/load/sample.ts';
import { encodeJson } from './encode-json.ts';

const letters = 1024 * 1024;
const stepLettersMax = 96 * 1024;
const escapedLength = 6;

function runSteps(steps: Steps<Buffer>): { readonly text: string; readonly micros: number[] } {
  const micros: number[] = [];
  for (;;) {
    const { done, value } = steps.next();
    if (done) return { text: value.toString(), micros };
    micros.push(value);
  }
}

const large = {
  'a text of quotes': { text: '"'.repeat(letters) },
  'a text of surrogate pairs': ['x', '\u{1F600}'.repeat(letters / 2)],
  'a text of half a pair': ['\ud83d'.repeat(letters / 8)],
  'a long name': { ['"'.repeat(letters)]: 1 },
  'many messages': {
    messages: Array.from({ length: 20_000 }, (_, index) => ({ role: 'user', content: `"${index}"` })),
  },
  'many numbers': [[Array.from({ length: 50_000 }, (_, index) => index)]],
  'many fields': Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`"${index}`, null])),
  'omitted values': { a: undefined, list: [undefined, 'a'.repeat(letters)], b: undefined, c: {} },
  'a number with many digits': [JSON.rawJSON('12345678901234567890'), 'a'.repeat(letters)],
};

describe('encodeJson', () => {
  it.each(Object.entries(large))(
    'encodeJson encodes %s in many steps, with the same result as JSON.stringify',
    (_, value) => {
      const { text, micros } = runSteps(encodeJson(value));
      expect(text === JSON.stringify(value)).toBe(true);
      expect(micros.length).toBeGreaterThanOrEqual(Math.floor(text.length / escapedLength / stepLettersMax));
      expect(micros.length).toBeGreaterThan(1);
      expect(Math.max(...micros)).toBeLessThan(2_000);
    },
  );

  it('encodeJson encodes a small value in one step', () => {
    const { text, micros } = runSteps(encodeJson({ messages: [{ role: 'user', content: 'Hi "you"' }] }));
    expect(text).toBe('{"messages":[{"role":"user","content":"Hi \\"you\\""}]}');
    expect(micros).toHaveLength(1);
  });

  it('encodeJson encodes any value like JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string({ unit: 'binary' }), (value, text) => {
        const padded = { value, text: text.repeat(20), padding: 'a'.repeat(70_000), more: [value, text] };
        expect(runSteps(encodeJson(padded)).text).toBe(Buffer.from(JSON.stringify(padded)).toString());
      }),
      { numRuns: sampleRuns(100) },
    );
  });
});
