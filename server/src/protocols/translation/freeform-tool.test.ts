import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freeformInput, toFreeformTool, unwrapInput, wrapInput } from './freeform-tool.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 40 });

describe('free text as the argument of a function', () => {
  it('unwrapInput restores the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(unwrapInput(wrapInput(text))).toBe(text);
      }),
    );
  });

  it('freeformInput produces the same arguments in pieces, wherever the text is cut', () => {
    fc.assert(
      fc.property(anyText, fc.nat(40), (text, cut) => {
        const pieces = [text.slice(0, cut), text.slice(cut)].map(freeformInput.escape);
        const json = freeformInput.opening + pieces.join('') + freeformInput.closing;
        expect(JSON.parse(json)).toEqual(JSON.parse(wrapInput(text)));
      }),
    );
  });

  it('unwrapInput returns the complete output of a model that ignored the format, and never throws', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.json()), (json) => {
        const input = unwrapInput(json);
        expect(typeof input).toBe('string');
        if (!json.includes('"input"')) expect(input).toBe(json);
      }),
    );
  });
});

describe('function definition for a custom tool', () => {
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
  ])(
    'function definition of a custom tool includes its description and grammar: %j and %j',
    (description, grammar, told) => {
      expect(toFreeformTool('patch', description, grammar).description).toBe(told);
    },
  );
});
