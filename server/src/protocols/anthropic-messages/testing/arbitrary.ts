import fc from 'fast-check';
import type {
  AssistantPart,
  Message,
  ReasoningPart,
  TextPart,
  ToolCallPart,
} from '../../canonical/content.ts';
import type { CanonicalRequest, Tool } from '../../canonical/request.ts';
import type { CanonicalResponse, Finish } from '../../canonical/response.ts';
import type { StreamEvent } from '../../canonical/stream-event.ts';
import type { Usage } from '../../canonical/usage.ts';

export const words = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).map((text) => `${text}.`);
const identifier = fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/);
const base64 = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));
// Parsed from JSON text to exclude negative zero.
const jsonObject = fc
  .dictionary(identifier, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((value): Record<string, unknown> => JSON.parse(JSON.stringify(value)));

const text: fc.Arbitrary<TextPart> = words.map((value) => ({ type: 'text', text: value }));
const image = fc
  .oneof(
    base64.map((data) => ({ kind: 'data', mediaType: 'image/webp', base64: data }) as const),
    fc.webUrl().map((url) => ({ kind: 'url', url }) as const),
  )
  .map((source) => ({ type: 'image', source }) as const);
const document = fc.record({
  type: fc.constant('document' as const),
  source: fc.oneof(
    words.map((value) => ({ kind: 'text', text: value }) as const),
    fc.webUrl().map((url) => ({ kind: 'url', url }) as const),
  ),
  name: words,
});
const call: fc.Arbitrary<ToolCallPart> = fc.record({
  type: fc.constant('tool-call' as const),
  id: identifier,
  name: identifier,
  arguments: jsonObject.map((value) => JSON.stringify(value)),
});
const reasoning: fc.Arbitrary<ReasoningPart> = fc.oneof(
  fc.record({ text: words, value: base64 }).map(
    ({ text: thought, value }): ReasoningPart => ({
      type: 'reasoning',
      text: thought,
      isRedacted: false,
      signature: { protocol: 'anthropic-messages', value },
    }),
  ),
  base64.map(
    (value): ReasoningPart => ({
      type: 'reasoning',
      text: '',
      isRedacted: true,
      signature: { protocol: 'anthropic-messages', value },
    }),
  ),
);

/** If the response has tool calls, their results start the next turn. */
const exchange = fc
  .record({
    asked: fc.array(fc.oneof(text, image, document), { minLength: 1, maxLength: 3 }),
    thought: fc.array(reasoning, { maxLength: 2 }),
    said: fc.array(text, { maxLength: 2 }),
    calls: fc.uniqueArray(call, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
    results: fc.array(fc.oneof(text, image, document), { maxLength: 2 }),
    isError: fc.boolean(),
  })
  .map(({ asked, thought, said, calls, results, isError }): Message[] => [
    { role: 'user', parts: asked },
    { role: 'assistant', parts: [...thought, ...said, ...calls] },
    {
      role: 'user',
      parts: calls.map(({ id, name }) => ({
        type: 'tool-result',
        callId: id,
        name,
        parts: results,
        isError,
      })),
    },
    { role: 'assistant', parts: [{ type: 'text', text: 'Done.' }] },
  ]);

const tool: fc.Arbitrary<Tool> = fc.record(
  {
    name: identifier,
    description: words,
    parameters: jsonObject.map((schema) => ({ ...schema, type: 'object' })),
  },
  { requiredKeys: ['name', 'parameters'] },
);

export const request: fc.Arbitrary<CanonicalRequest> = fc
  .record({
    systemText: fc.option(text, { nil: undefined }),
    exchanges: fc.array(exchange, { maxLength: 2 }),
    question: fc.array(text, { minLength: 1, maxLength: 2 }),
    tools: fc.uniqueArray(tool, { maxLength: 3, selector: ({ name }) => name }),
    isParallelToolUse: fc.boolean(),
    outputTokensMax: fc.integer({ min: 2000, max: 9000 }),
    stop: fc.array(words, { maxLength: 2 }),
    temperature: fc.double({ min: 0, max: 1, noNaN: true }),
    topK: fc.nat(100),
    endUser: fc.option(identifier, { nil: undefined }),
  })
  .map(
    ({ systemText, exchanges, question, tools, isParallelToolUse, temperature, topK, endUser, ...rest }) => ({
      ...rest,
      messages: [
        ...(systemText ? [{ role: 'system', parts: [systemText] } as const] : []),
        // Calls without declared tools are encoded differently.
        ...(tools.length > 0 ? exchanges.flat() : []),
        { role: 'user', parts: question } as const,
      ],
      tools,
      ...(tools.length > 0 && { toolChoice: { kind: 'auto' } as const, isParallelToolUse }),
      sampling: { temperature: temperature + 0, topK },
      ...(endUser !== undefined && { endUser }),
      extensions: [],
    }),
  );

const count = fc.nat(1_000_000);
export const usage: fc.Arbitrary<Usage> = fc
  .record({
    inputTokens: count,
    cacheReadTokens: count,
    cacheWriteTokens: count,
    outputTokens: count,
    share: fc.nat(100),
  })
  .map(({ share, ...buckets }) => {
    const hourTokens = Math.floor((buckets.cacheWriteTokens * share) / 100);
    return {
      ...buckets,
      ...(hourTokens > 0 && { cacheWriteHourTokens: hourTokens }),
      reasoningTokens: Math.floor((buckets.outputTokens * share) / 100),
    };
  });

const parts = fc.array<AssistantPart>(fc.oneof(text, reasoning, call), { maxLength: 5 });

function finishOf(hasCalls: boolean): fc.Arbitrary<Finish> {
  const whole = hasCalls
    ? fc.constant<Finish>({ reason: 'tool-calls', native: 'tool_use' })
    : fc.oneof(
        fc.constant<Finish>({ reason: 'stop', native: 'end_turn' }),
        words.map((stopSequence): Finish => ({ reason: 'stop', native: 'stop_sequence', stopSequence })),
      );
  return fc.oneof(
    whole,
    fc.constant<Finish>({ reason: 'length', native: 'max_tokens' }),
    fc.constant<Finish>({ reason: 'content-filter', native: 'refusal' }),
  );
}

export const response: fc.Arbitrary<CanonicalResponse> = parts.chain((answer) =>
  fc
    .record({
      id: identifier,
      model: identifier,
      finish: finishOf(answer.some(({ type }) => type === 'tool-call')),
      usage,
    })
    .map(({ finish, ...head }) => ({
      ...head,
      createdAtSeconds: null,
      choices: [{ parts: answer, finish }],
    })),
);

export const stream: fc.Arbitrary<StreamEvent[]> = fc
  .tuple(response, fc.integer({ min: 1, max: 5 }))
  .map(([{ id, model, choices, usage: used }, size]) => {
    const [choice] = choices;
    return [
      { type: 'start', id, model, createdAtSeconds: null },
      ...(choice?.parts ?? []).flatMap((part, block) => streamPart(part, block, size)),
      ...(used ? [{ type: 'usage', usage: used } as const] : []),
      ...(choice ? [{ type: 'finish', choice: 0, finish: choice.finish } as const] : []),
      { type: 'end' },
    ];
  });

function streamPart(part: AssistantPart, block: number, size: number): StreamEvent[] {
  const at = { choice: 0, block };
  const cut = (value: string) => value.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
  switch (part.type) {
    case 'text':
      return [
        { type: 'text-start', ...at },
        ...cut(part.text).map((piece) => ({ type: 'text-delta', ...at, text: piece }) as const),
        { type: 'text-end', ...at },
      ];
    case 'reasoning':
      return [
        { type: 'reasoning-start', ...at, isRedacted: part.isRedacted },
        ...cut(part.text).map((piece) => ({ type: 'reasoning-delta', ...at, text: piece }) as const),
        { type: 'reasoning-end', ...at, ...(part.signature && { signature: part.signature }) },
      ];
    case 'image':
      return [{ type: 'image', ...at, image: part }];
    case 'tool-call':
      return [
        { type: 'tool-input-start', ...at, id: part.id, name: part.name },
        ...cut(part.arguments).map((piece) => ({ type: 'tool-input-delta', ...at, json: piece }) as const),
        { type: 'tool-input-end', ...at },
      ];
    case 'refusal':
      return [{ type: 'refusal-delta', choice: 0, text: part.text }];
  }
}
