import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import type { AssistantPart, ProtocolId, ReasoningPart, ToolCallPart } from '../canonical/content.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { encodeResponse } from './response.ts';
import { answerContext, decode, encodeFrames, type Frame, parse } from './testing/exchange.ts';

type Block = Record<string, unknown> & { type: string };

function accumulate(frames: readonly Frame[]): Block[] {
  const blocks: Block[] = [];
  let json = '';
  for (const { type, content_block, delta } of frames) {
    const last = blocks.at(-1);
    if (type === 'content_block_start' && content_block) {
      blocks.push({ ...content_block });
      json = '';
    } else if (type === 'content_block_delta' && delta && last) {
      const { type: kind, partial_json, ...fields } = delta as Record<string, string>;
      if (kind === 'input_json_delta') json += partial_json;
      for (const [name, value] of Object.entries(fields)) last[name] = `${last[name]}${value}`;
    } else if (type === 'content_block_stop' && last && json !== '') last.input = JSON.parse(json);
  }
  return blocks;
}

const signature = fc.record({
  protocol: fc.constantFrom<ProtocolId>('gemini', 'openai-responses', 'openai-chat'),
  value: fc.base64String({ minLength: 4 }),
});
const reasoning: fc.Arbitrary<ReasoningPart> = fc.oneof(
  fc.record({
    type: fc.constant('reasoning' as const),
    text: fc.string({ minLength: 1 }),
    isRedacted: fc.constant(false),
    signature,
  }),
  fc.record({
    type: fc.constant('reasoning' as const),
    text: fc.constant(''),
    isRedacted: fc.constant(true),
    signature: signature.map((made) => ({ ...made, id: 'rs_1' })),
  }),
);
const call: fc.Arbitrary<ToolCallPart> = fc.record(
  {
    type: fc.constant('tool-call' as const),
    id: fc.uuid(),
    name: fc.constantFrom('read', 'write'),
    arguments: fc.constantFrom('{}', '{"path":"a"}'),
    signature,
  },
  { requiredKeys: ['type', 'id', 'name', 'arguments'] },
);
const text = fc.string({ minLength: 1 }).map((value) => ({ type: 'text', text: value }) as const);
const isCarrier = (part: AssistantPart) => part.type === 'reasoning' && part.isRedacted;
const answer = fc
  .array<AssistantPart>(fc.oneof(reasoning, text, call), { minLength: 1, maxLength: 5 })
  .filter((parts) => !parts.every(isCarrier));
const withoutLastCarriers = (parts: readonly AssistantPart[]) =>
  parts.slice(0, parts.findLastIndex((part) => !isCarrier(part)) + 1);

function stream(parts: readonly AssistantPart[]): StreamEvent[] {
  const events = parts.flatMap((part, block): StreamEvent[] => {
    const at = { choice: 0, block };
    const signed = 'signature' in part && part.signature ? { signature: part.signature } : {};
    switch (part.type) {
      case 'tool-call':
        return [
          { type: 'tool-input-start', ...at, id: part.id, name: part.name },
          { type: 'tool-input-delta', ...at, json: part.arguments },
          { type: 'tool-input-end', ...at, ...signed },
        ];
      case 'image':
        return [{ type: 'image', ...at, image: part }];
      case 'reasoning':
        return [
          { type: 'reasoning-start', ...at, isRedacted: part.isRedacted },
          { type: 'reasoning-delta', ...at, text: part.text },
          { type: 'reasoning-end', ...at, ...signed },
        ];
      default:
        return [
          { type: 'text-start', ...at },
          { type: 'text-delta', ...at, text: part.text },
          { type: 'text-end', ...at },
        ];
    }
  });
  return [{ type: 'start', id: 'x', model: 'm', createdAtSeconds: null }, ...events, { type: 'end' }];
}

const nextTurn = (content: readonly object[]) => ({
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content },
    { role: 'user', content: 'Go on' },
  ],
});

describe('responses sent back in the next request', () => {
  it('M7: streamed and complete responses keep everything their provider needs when a caller sends them back', () => {
    fc.assert(
      fc.property(answer, (parts) => {
        const finish = { reason: 'stop', native: null } as const;
        const whole = encodeResponse(
          { id: null, model: null, createdAtSeconds: null, choices: [{ parts, finish }], usage: null },
          answerContext,
        );
        // safe because an encoded response has blocks
        const { content } = JSON.parse(JSON.stringify(whole)) as { content: Block[] };
        expect(accumulate(encodeFrames(stream(parts)))).toEqual(content);
        expect(decode(nextTurn(content)).messages[1]?.parts).toEqual(withoutLastCarriers(parts));
      }),
      { numRuns: sampleRuns(500) },
    );
  });

  it('M7: stream encoder ends a response with its last text or call, so that clients that drop trailing thinking lose nothing', () => {
    fc.assert(
      fc.property(answer, (parts) => {
        const kept = withoutLastCarriers(parts);
        fc.pre(kept.at(-1)?.type !== 'reasoning');
        const types = accumulate(encodeFrames(stream(parts))).map(({ type }) => type);
        expect(types.at(-1)).toBe(kept.at(-1)?.type === 'text' ? 'text' : 'tool_use');
      }),
      { numRuns: sampleRuns(500) },
    );
  });

  it('M7: encodeFor removes reasoning of other providers before a request reaches Anthropic', () => {
    fc.assert(
      fc.property(answer, (parts) => {
        const content = accumulate(encodeFrames(stream(parts)));
        const passed = JSON.parse(parse(nextTurn(content)).encodeFor('claude-opus-4-8').toString());
        const kept = content.filter(({ type }) => type === 'text' || type === 'tool_use');
        expect(passed.messages.slice(1, -1)).toEqual(
          kept.length === 0 ? [] : [{ role: 'assistant', content: kept }],
        );
      }),
    );
  });
});
