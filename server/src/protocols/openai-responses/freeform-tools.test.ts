import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  describeFreeformTool,
  freeformInput,
  listFreeformTools,
  unwrapInput,
  wrapInput,
} from './freeform-tools.ts';

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
    ['', '', undefined],
    ['Edits.', '', 'Edits.'],
    ['', 'A grammar.', 'A grammar.'],
    ['Edits.', 'A grammar.', 'Edits.\n\nA grammar.'],
  ])('tells %j and %j', (description, grammar, told) => {
    expect(describeFreeformTool('patch', description, grammar).description).toBe(told);
  });
});

describe('the custom tools of a request', () => {
  it('are those that say so', () => {
    const tools = [
      { type: 'custom', name: 'a' },
      { type: 'function', name: 'b' },
      { type: 'custom', name: 'c', format: { type: 'text' } },
      { type: 'web_search' },
    ];
    expect([...listFreeformTools({ tools })]).toEqual(['a', 'c']);
  });

  it.each([undefined, {}, { tools: null }, { tools: 'a' }, { tools: [null, 7, 'custom', []] }])(
    'are none in %o',
    (fields) => {
      expect(listFreeformTools(fields).size).toBe(0);
    },
  );
});
