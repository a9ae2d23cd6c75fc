import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freeformInput, toFreeformTool, unwrapInput, wrapInput } from './freeform-tool.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 40 });

describe('a text as the one argument of a function', () => {
  it('comes back as it was', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(unwrapInput(wrapInput(text))).toBe(text);
      }),
    );
  });

  it('is the same in pieces, wherever it is cut', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, cut) => {
        const pieces = [text.slice(0, cut), text.slice(cut)].map(freeformInput.escape);
        const json = freeformInput.opening + pieces.join('') + freeformInput.closing;
        expect(JSON.parse(json)).toEqual(JSON.parse(wrapInput(text)));
      }),
    );
  });

  it('is all that a model wrote where it has not kept to it, and never a throw', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.json()), (json) => {
        const input = unwrapInput(json);
        expect(typeof input).toBe('string');
        if (!json.includes('"input"')) expect(input).toBe(json);
      }),
    );
  });
});

describe('the function that stands for a custom tool', () => {
  it.each([
    ['', undefined, undefined],
    [null, undefined, undefined],
    ['Edits.', undefined, 'Edits.'],
    ['', { definition: 'a+' }, 'The input must conform to this  grammar:\na+'],
    [
      'Edits.',
      { syntax: 'regex', definition: 'a+' },
      'Edits.\n\nThe input must conform to this regex grammar:\na+',
    ],
  ])('tells %j and %j', (description, grammar, told) => {
    expect(toFreeformTool('patch', description, grammar).description).toBe(told);
  });
});
