import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countHiddenBytes } from './hidden-bytes.ts';

/** What a reader of the parsed value has seen at least: nothing, so that all is looked at. */
const hidden = (text: string) => countHiddenBytes(Buffer.from(text), JSON.parse(text), 0);
const long = 'word '.repeat(1_000);

describe('bytes that a parsed body has lost', () => {
  it('are those of a field that stands twice, but for the last', () => {
    const once = JSON.stringify({ messages: [{ role: 'user', content: 'Hi' }] });
    const twice = once.replace('"content"', `"content":${JSON.stringify(long)},"content"`);
    expect(hidden(once)).toBe(0);
    expect(hidden(twice)).toBe(Buffer.byteLength(`"content":"${long}",`));
  });

  it('are none in whatever way the same value is written', () => {
    const anyValue = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
    fc.assert(
      fc.property(anyValue, fc.integer({ min: 0, max: 8 }), (value, indent) => {
        const text = JSON.stringify({ ...value, long }, null, indent);
        const escaped = text.replaceAll(
          /[^ -~\n]/g,
          (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
        );
        expect(hidden(text)).toBe(0);
        expect(hidden(escaped)).toBe(0);
      }),
    );
  });

  it('are not looked for where most of the body was seen', () => {
    const text = JSON.stringify({ long });
    expect(countHiddenBytes(Buffer.from(text), {}, text.length)).toBe(0);
    expect(countHiddenBytes(Buffer.from(text), {}, 0)).toBeGreaterThan(5_000);
  });
});
