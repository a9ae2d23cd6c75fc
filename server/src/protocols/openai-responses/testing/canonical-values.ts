import fc from 'fast-check';
import type {
  AssistantPart,
  Message,
  ReasoningPart,
  ToolCallPart,
  UserPart,
} from '../../canonical/content.ts';
import type { CanonicalRequest, ToolChoice } from '../../canonical/request.ts';
import type { CanonicalResponse, Choice } from '../../canonical/response.ts';
import {
  answerCall,
  base64,
  hundredths,
  jsonObject,
  name,
  responseFormat,
  textPart,
  tool,
  usage,
  words,
} from '../../openai-chat/testing/canonical-values.ts';

const thought: fc.Arbitrary<ReasoningPart> = fc
  .record({ text: fc.oneof(fc.constant(''), words), value: base64, id: name })
  .map(({ text, value, id }) => ({
    type: 'reasoning',
    text,
    isRedacted: text === '',
    signature: { protocol: 'openai-responses', value, id },
  }));

const calls = (prefix: string): fc.Arbitrary<ToolCallPart[]> =>
  fc.array(fc.tuple(name, jsonObject), { maxLength: 3 }).map((list) =>
    list.map(([called, input], index) => ({
      type: 'tool-call',
      id: `${prefix}_${index}`,
      name: called,
      arguments: JSON.stringify(input),
    })),
  );

export const said = (prefix: string): fc.Arbitrary<AssistantPart[]> =>
  fc
    .tuple(
      fc.array(fc.oneof(thought, textPart), { maxLength: 3 }),
      fc.oneof(
        calls(prefix),
        words.map((text): AssistantPart[] => [{ type: 'refusal', text }]),
      ),
    )
    .map(([before, after]): AssistantPart[] => [...before, ...after])
    .filter((parts) => parts.length > 0);

const image: fc.Arbitrary<UserPart> = fc
  .tuple(
    fc.oneof(
      fc.record({ kind: fc.constant('data' as const), mediaType: fc.constant('image/png'), base64 }),
      name.map((path) => ({ kind: 'url' as const, url: `https://example.com/${path}` })),
      name.map((fileId) => ({ kind: 'file' as const, fileId })),
    ),
    fc.constantFrom('low' as const, 'high' as const, 'auto' as const, undefined),
  )
  .map(([source, detail]) => ({ type: 'image', source, ...(detail && { detail }) }));

const document: fc.Arbitrary<UserPart> = fc
  .tuple(
    fc.oneof(
      fc.record({ kind: fc.constant('data' as const), mediaType: fc.constant('application/pdf'), base64 }),
      name.map((path) => ({ kind: 'url' as const, url: `https://example.com/${path}` })),
      name.map((fileId) => ({ kind: 'file' as const, fileId })),
    ),
    name,
  )
  .map(([source, title]) => ({ type: 'document', source, name: title }));

const exchange = (index: number) =>
  fc.record({
    asked: fc.array(fc.oneof(textPart, image, document), { minLength: 1, maxLength: 3 }),
    answered: said(`call${index}`).filter((parts) => parts.at(-1)?.type !== 'reasoning'),
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

const toolFields = fc.oneof(
  fc.constant({ tools: [] }),
  fc.record(
    {
      tools: fc.array(
        tool.map((declared) => ({ ...declared, isStrict: false })),
        { minLength: 1, maxLength: 2 },
      ),
      toolChoice: fc.oneof(
        fc.constantFrom<ToolChoice>({ kind: 'auto' }, { kind: 'none' }, { kind: 'required' }),
        name.map((chosen): ToolChoice => ({ kind: 'tool', name: chosen })),
      ),
      isParallelToolUse: fc.boolean(),
    },
    { requiredKeys: ['tools'] },
  ),
);

export const canonicalRequest: fc.Arbitrary<CanonicalRequest> = fc
  .tuple(
    fc.record(
      {
        messages,
        outputTokensMax: fc.integer({ min: 16, max: 100_000 }),
        stop: fc.constant([]),
        sampling: fc.record({ temperature: hundredths(0, 2), topP: hundredths(0, 1) }, { requiredKeys: [] }),
        responseFormat,
        reasoning: fc.record({
          effort: fc.constantFrom('none', 'minimal', 'low', 'medium', 'high', 'xhigh'),
        }),
        endUser: name,
        extensions: fc.constant([]),
      },
      { requiredKeys: ['messages', 'stop', 'sampling', 'extensions'] },
    ),
    toolFields,
  )
  .map(([rest, tools]) => ({ ...rest, ...tools }));

const choice: fc.Arbitrary<Choice> = fc
  .tuple(said('call'), fc.constantFrom('completed', 'max_output_tokens', 'content_filter'))
  .map(([parts, native]) => {
    if (native === 'max_output_tokens') return { parts, finish: { reason: 'length', native } };
    if (native === 'content_filter') return { parts, finish: { reason: 'content-filter', native } };
    const hasCalls = parts.some(({ type }) => type === 'tool-call');
    return { parts, finish: { reason: hasCalls ? 'tool-calls' : 'stop', native } };
  });

export const canonicalResponse: fc.Arbitrary<CanonicalResponse> = fc.record({
  id: name,
  model: name,
  createdAtSeconds: fc.nat(),
  choices: fc.tuple(choice),
  usage: fc.option(usage),
});
