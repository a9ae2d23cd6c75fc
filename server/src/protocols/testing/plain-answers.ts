import fc from 'fast-check';
import type { AssistantPart, ToolCallPart } from '../canonical/content.ts';
import type { CanonicalResponse } from '../canonical/response.ts';
import type { Usage } from '../canonical/usage.ts';

/** Any text, including texts that a careless parser mistakes for the end of a line, event or string. */
export const words = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
  fc.constantFrom('data: [DONE]', '\n\n', '"}', '\\u0000', '{"a":1}', '😀é漢', ' '),
);
export const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,11}$/);
const jsonObject = fc.dictionary(
  name,
  fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), fc.array(words, { maxLength: 2 })),
  { maxKeys: 3 },
);

const thought = words.map((text): AssistantPart => ({ type: 'reasoning', text, isRedacted: false }));
const text = words.map((value): AssistantPart => ({ type: 'text', text: value }));
const calls: fc.Arbitrary<ToolCallPart[]> = fc
  .array(fc.tuple(name, jsonObject), { maxLength: 3 })
  .map((list) =>
    list.map(([called, input], index) => ({
      type: 'tool-call',
      id: `${called}_${index}`,
      name: called,
      arguments: JSON.stringify(input),
    })),
  );

const tokens = fc.nat(100_000);
const usage: fc.Arbitrary<Usage> = fc
  .record({ inputTokens: tokens, cacheReadTokens: tokens, outputTokens: tokens })
  .chain((told) =>
    fc.nat(told.outputTokens).map((reasoningTokens) => ({ ...told, cacheWriteTokens: 0, reasoningTokens })),
  );

export const plainAnswer: fc.Arbitrary<CanonicalResponse> = fc
  .record({
    id: name,
    thoughts: fc.array(thought, { maxLength: 1 }),
    texts: fc.array(text, { maxLength: 1 }),
    calls,
    reason: fc.constantFrom('stop' as const, 'length' as const),
    usage,
  })
  .map(({ id, thoughts, texts, calls: made, reason, usage: told }) => ({
    id,
    model: null,
    createdAtSeconds: null,
    choices: [
      {
        parts: [...thoughts, ...texts, ...made],
        finish: { reason: reason === 'stop' && made.length > 0 ? 'tool-calls' : reason, native: null },
      },
    ],
    usage: told,
  }));

/** Cuts a text into pieces of this many UTF-16 units, which may split a character. */
export function cut(whole: string, pieceLength: number): string[] {
  return Array.from({ length: Math.ceil(whole.length / pieceLength) }, (_, index) =>
    whole.slice(index * pieceLength, (index + 1) * pieceLength),
  );
}
