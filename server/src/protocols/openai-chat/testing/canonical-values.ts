import fc from 'fast-check';
import type {
  AssistantPart,
  Message,
  ReasoningPart,
  RefusalPart,
  Signature,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  UserPart,
} from '../../canonical/content.ts';
import type {
  CanonicalRequest,
  ResponseFormat,
  Sampling,
  Tool,
  ToolChoice,
} from '../../canonical/request.ts';
import type { CanonicalResponse, Choice } from '../../canonical/response.ts';
import type { StreamEvent } from '../../canonical/stream-event.ts';
import type { Usage } from '../../canonical/usage.ts';
import { readCallerDetail } from '../reasoning.ts';

export const words = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }),
  fc.constantFrom('data: [DONE]', '\n\n', '"}', '\\u0000', '{"a":1}', '😀é漢'),
);
export const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,11}$/);
export const jsonObject = fc.dictionary(
  name,
  fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), fc.array(words, { maxLength: 2 })),
  { maxKeys: 3 },
);
export const hundredths = (min: number, max: number) =>
  fc.integer({ min: min * 100, max: max * 100 }).map((value) => value / 100);
export const base64 = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));
export const textPart: fc.Arbitrary<TextPart> = words.map((text) => ({ type: 'text', text }));

const signedThought = (index: number): fc.Arbitrary<ReasoningPart> =>
  fc
    .record({ text: words, signature: name, isHidden: fc.boolean() })
    .map(({ text, signature, isHidden }) =>
      readCallerDetail(
        isHidden
          ? { type: 'reasoning.encrypted', data: signature, index }
          : { type: 'reasoning.text', text, signature, index },
      ),
    );
const thoughts: fc.Arbitrary<ReasoningPart[]> = fc.oneof(
  fc.constant<ReasoningPart[]>([]),
  words.map((text): ReasoningPart[] => [{ type: 'reasoning', text, isRedacted: false }]),
  fc.tuple(signedThought(0), signedThought(1)),
);

const callSignature: fc.Arbitrary<{ signature?: Signature }> = fc.oneof(
  fc.constant({}),
  name.map((value) => ({
    signature: { protocol: 'openai-chat' as const, value: JSON.stringify({ vendor: { value } }) },
  })),
);
const calls = (prefix: string): fc.Arbitrary<ToolCallPart[]> =>
  fc.array(fc.tuple(name, jsonObject, callSignature), { maxLength: 3 }).map((list) =>
    list.map(([called, input, signature], index) => ({
      type: 'tool-call',
      id: `${prefix}_${index}`,
      name: called,
      arguments: JSON.stringify(input),
      ...signature,
    })),
  );

const refusal: fc.Arbitrary<RefusalPart[]> = words.map((text) => [{ type: 'refusal', text }]);

export const said = (prefix: string): fc.Arbitrary<AssistantPart[]> =>
  fc
    .tuple(thoughts, fc.oneof(fc.tuple(fc.array(textPart, { maxLength: 1 }), calls(prefix)), refusal))
    .map(([reasoning, rest]): AssistantPart[] => [...reasoning, ...rest.flat()])
    .filter((parts) => parts.some(({ type }) => type !== 'reasoning'));

const mediaPart: fc.Arbitrary<UserPart> = fc.oneof(
  fc
    .record({ kind: fc.constant('data' as const), mediaType: fc.constant('image/png'), base64 })
    .map((source): UserPart => ({ type: 'image', source, detail: 'low' })),
  name.map(
    (path): UserPart => ({ type: 'image', source: { kind: 'url', url: `https://example.com/${path}` } }),
  ),
  fc.tuple(name, base64).map(
    ([title, data]): UserPart => ({
      type: 'document',
      source: { kind: 'data', mediaType: 'application/pdf', base64: data },
      name: title,
    }),
  ),
  name.map((fileId): UserPart => ({ type: 'document', source: { kind: 'file', fileId } })),
  fc
    .tuple(fc.constantFrom('audio/wav', 'audio/mpeg'), base64)
    .map(
      ([mediaType, data]): UserPart => ({ type: 'audio', source: { kind: 'data', mediaType, base64: data } }),
    ),
);

const exchange = (index: number) =>
  fc.record({
    asked: fc.array(fc.oneof(textPart, mediaPart), { minLength: 1, maxLength: 3 }),
    answered: said(`call${index}`),
    result: words,
  });

const messages: fc.Arbitrary<Message[]> = fc
  .tuple(fc.array(textPart, { maxLength: 2 }), exchange(0), exchange(1))
  .map(([hint, ...exchanges]) => {
    const turns: Message[] = hint.length === 0 ? [] : [{ role: 'system', parts: hint }];
    let open: ToolCallPart[] = [];
    for (const { asked, answered, result } of exchanges) {
      turns.push({ role: 'user', parts: [...open.map((call) => answerCall(call, result)), ...asked] });
      turns.push({ role: 'assistant', parts: answered });
      open = answered.filter((part) => part.type === 'tool-call');
    }
    return turns.slice(0, -1);
  });

export function answerCall({ id, name: called }: ToolCallPart, text: string): ToolResultPart {
  return { type: 'tool-result', callId: id, name: called, parts: [{ type: 'text', text }], isError: false };
}

export const tool: fc.Arbitrary<Tool> = fc.record(
  {
    name,
    description: words,
    parameters: jsonObject.map((properties) => ({ type: 'object', properties })),
    isStrict: fc.constant(false),
  },
  { requiredKeys: ['name', 'parameters'] },
);

const toolFields = fc.oneof(
  fc.constant({ tools: [] }),
  fc.record(
    {
      tools: fc.array(tool, { minLength: 1, maxLength: 2 }),
      toolChoice: fc.oneof(
        fc.constantFrom<ToolChoice>({ kind: 'auto' }, { kind: 'none' }, { kind: 'required' }),
        name.map((chosen): ToolChoice => ({ kind: 'tool', name: chosen })),
      ),
      isParallelToolUse: fc.boolean(),
    },
    { requiredKeys: ['tools'] },
  ),
);

const sampling: fc.Arbitrary<Sampling> = fc.record(
  {
    temperature: hundredths(0, 2),
    topP: hundredths(0, 1),
    seed: fc.integer(),
    presencePenalty: hundredths(-2, 2).map((value) => value || 0),
    frequencyPenalty: hundredths(-2, 2).map((value) => value || 0),
    logitBias: fc.dictionary(name, fc.integer({ min: -100, max: 100 }), { maxKeys: 2 }),
    topLogprobs: fc.integer({ min: 0, max: 20 }),
  },
  { requiredKeys: [] },
);

export const responseFormat: fc.Arbitrary<ResponseFormat> = fc.oneof(
  fc.constant<ResponseFormat>({ kind: 'json' }),
  fc.record(
    {
      kind: fc.constant('json-schema' as const),
      name,
      schema: jsonObject,
      description: words,
      isStrict: fc.constant(false),
    },
    { requiredKeys: ['kind', 'name', 'schema'] },
  ),
);

export const canonicalRequest: fc.Arbitrary<CanonicalRequest> = fc
  .tuple(
    fc.record(
      {
        messages,
        outputTokensMax: fc.integer({ min: 1, max: 100_000 }),
        count: fc.integer({ min: 2, max: 8 }),
        stop: fc.array(words, { maxLength: 3 }),
        sampling,
        responseFormat,
        reasoning: fc.record({ effort: fc.constantFrom('minimal', 'low', 'medium', 'high') }),
        endUser: name,
        extensions: fc.constant([]),
      },
      { requiredKeys: ['messages', 'stop', 'sampling', 'extensions'] },
    ),
    toolFields,
  )
  .map(([rest, tools]) => ({ ...rest, ...tools }));

const tokens = fc.nat(100_000);
export const usage: fc.Arbitrary<Usage> = fc
  .record({ inputTokens: tokens, cacheReadTokens: tokens, cacheWriteTokens: tokens, outputTokens: tokens })
  .chain((told) => fc.nat(told.outputTokens).map((reasoningTokens) => ({ ...told, reasoningTokens })));

const choice = (index: number): fc.Arbitrary<Choice> =>
  fc
    .tuple(said(`call${index}`), fc.constantFrom('stop', 'length', 'content_filter'))
    .map(([parts, native]) => {
      const hasCalls = parts.some(({ type }) => type === 'tool-call');
      if (native === 'length') return { parts, finish: { reason: 'length', native } };
      if (native === 'content_filter') return { parts, finish: { reason: 'content-filter', native } };
      return {
        parts,
        finish: hasCalls ? { reason: 'tool-calls', native: 'tool_calls' } : { reason: 'stop', native },
      };
    });

export const canonicalResponse: fc.Arbitrary<CanonicalResponse> = fc.record({
  id: name,
  model: name,
  createdAtSeconds: fc.nat(),
  choices: fc.oneof(fc.tuple(choice(0)), fc.tuple(choice(0), choice(1))),
  usage: fc.option(usage),
});

export function toEvents(response: CanonicalResponse, pieceLength: number): StreamEvent[] {
  const { id, model, createdAtSeconds, choices } = response;
  const blocks = choices.flatMap(({ parts, finish }, index): StreamEvent[] => [
    ...parts.flatMap((part, block) => toBlock(part, index, block, pieceLength)),
    { type: 'finish', choice: index, finish },
  ]);
  return [
    { type: 'start', id, model, createdAtSeconds },
    ...blocks,
    ...(response.usage ? [{ type: 'usage' as const, usage: response.usage }] : []),
    { type: 'end' },
  ];
}

function toBlock(part: AssistantPart, index: number, block: number, pieceLength: number): StreamEvent[] {
  const place = { choice: index, block };
  const cut = (whole: string) =>
    Array.from({ length: Math.ceil(whole.length / pieceLength) }, (_, piece) =>
      whole.slice(piece * pieceLength, (piece + 1) * pieceLength),
    );
  switch (part.type) {
    case 'text':
      return [
        { type: 'text-start', ...place },
        ...cut(part.text).map((text) => ({ type: 'text-delta' as const, ...place, text })),
        { type: 'text-end', ...place },
      ];
    case 'refusal':
      return cut(part.text).map((text) => ({ type: 'refusal-delta', choice: index, text }));
    case 'reasoning':
      return [
        { type: 'reasoning-start', ...place, isRedacted: part.isRedacted },
        ...cut(part.text).map((text) => ({ type: 'reasoning-delta' as const, ...place, text })),
        { type: 'reasoning-end', ...place, ...(part.signature && { signature: part.signature }) },
      ];
    case 'image':
      return [{ type: 'image', ...place, image: part }];
    case 'tool-call':
      return [
        { type: 'tool-input-start', ...place, id: part.id, name: part.name },
        ...cut(part.arguments === '{}' ? '' : part.arguments).map((json) => ({
          type: 'tool-input-delta' as const,
          ...place,
          json,
        })),
        { type: 'tool-input-end', ...place, ...(part.signature && { signature: part.signature }) },
      ];
  }
}
