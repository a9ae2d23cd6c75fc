import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReasoningPart } from '../canonical/content.ts';
import {
  keepDetail,
  readCallerDetail,
  readCallerReasoning,
  readProviderDetail,
  writeDetail,
} from './reasoning.ts';
import { reasoningDetail } from './wire.ts';

const words = fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' });
const maker = fc.constantFrom('anthropic-messages', 'gemini', 'openai-responses', 'cohere', 'ollama');
const overTheWire = (detail: object) => reasoningDetail.parse(JSON.parse(JSON.stringify(detail)));

describe('reasoning details', () => {
  it("a reasoning detail keeps its maker's signature in a round trip through the caller", () => {
    const signature = fc.oneof(
      fc.record({ protocol: maker, value: words }),
      fc.record({ protocol: maker, value: words, id: words }),
    );
    const part: fc.Arbitrary<ReasoningPart> = fc.oneof(
      fc.record({
        type: fc.constant('reasoning' as const),
        text: words,
        isRedacted: fc.constant(false),
        signature,
      }),
      fc.record({
        type: fc.constant('reasoning' as const),
        text: fc.constant(''),
        isRedacted: fc.constant(true),
        signature,
      }),
    );
    fc.assert(
      fc.property(part, (reasoning) => {
        expect(readCallerDetail(overTheWire(writeDetail(reasoning, 0)))).toEqual(reasoning);
      }),
    );
  });

  it.each([
    [{ type: 'reasoning.text', text: 'Hm', signature: 's', format: 'vendor-v1', index: 0 }],
    [{ type: 'reasoning.summary', summary: 'Hm', id: 'r1', format: 'vendor-v1' }],
    [{ type: 'reasoning.encrypted', data: 'c2ln', id: 'r1', format: 'vendor-v1' }],
    [{ type: 'reasoning.text', text: 'Hm', extra: { of: ['a', 'vendor'] } }],
  ])('a reasoning detail is sent back unchanged to the provider that wrote it: %j', (detail) => {
    const part = readProviderDetail(overTheWire(detail));
    expect(writeDetail(part, 5)).toEqual(detail);
    expect(writeDetail(readCallerDetail(overTheWire(writeDetail(part, 5))), 5)).toEqual(detail);
  });

  it('a reasoning detail has the same signature in any field order', () => {
    const fields = { type: 'reasoning.text', format: 'vendor-v1', index: 0, extra: 1, signature: 's' };
    const turned = Object.fromEntries(Object.entries(fields).toReversed());
    expect(keepDetail(turned)).toEqual(keepDetail(fields));
    expect(readProviderDetail(overTheWire(fields)).signature).toEqual(keepDetail(fields));
  });

  it('a reasoning detail of a known maker without a signature is read as text', () => {
    expect(
      readCallerDetail(overTheWire({ type: 'reasoning.text', text: 'Hm', format: 'google-gemini-v1' })),
    ).toEqual({ type: 'reasoning', text: 'Hm', isRedacted: false });
  });
});

describe('readCallerReasoning', () => {
  const proof = { type: 'reasoning.text', signature: 's', format: 'anthropic-claude-v1' };
  const hidden = { type: 'reasoning.encrypted', data: 'd', format: 'anthropic-claude-v1' };
  const signature = { protocol: 'anthropic-messages', value: 's' };
  const read = (fields: object) =>
    readCallerReasoning({ role: 'assistant', ...fields } as Parameters<typeof readCallerReasoning>[0]); // safe because the fields are those of a message

  it.each<[name: string, fields: object, parts: object[]]>([
    ['nothing', {}, []],
    ['a text', { reasoning_content: 'Hm' }, [{ type: 'reasoning', text: 'Hm', isRedacted: false }]],
    [
      "a text in OpenRouter's field",
      { reasoning: 'Hm' },
      [{ type: 'reasoning', text: 'Hm', isRedacted: false }],
    ],
    [
      'details with their own text, which takes precedence',
      { reasoning_content: 'Hm', reasoning_details: [{ ...proof, text: 'Well' }] },
      [{ type: 'reasoning', text: 'Well', isRedacted: false, signature }],
    ],
    [
      'details whose text the client omitted',
      { reasoning_content: 'Hm', reasoning_details: [proof] },
      [{ type: 'reasoning', text: 'Hm', isRedacted: false, signature }],
    ],
    [
      'hidden details next to a text',
      { reasoning_content: 'Hm', reasoning_details: [hidden] },
      [
        { type: 'reasoning', text: 'Hm', isRedacted: false },
        {
          type: 'reasoning',
          text: '',
          isRedacted: true,
          signature: { protocol: 'anthropic-messages', value: 'd' },
        },
      ],
    ],
  ])('readCallerReasoning reads %s', (_, fields, parts) => {
    expect(read(fields)).toEqual(parts);
  });
});
