import { describe, expect, it } from 'vitest';
import { replayStream } from '#test/providers/replay-stream.ts';
import { answerContext, callerProtocols, collectAnswer } from '#test/requests/through-callers.ts';
import type { ChatService, Provider } from '../providers/provider.ts';
import { providers } from '../providers/registry.ts';
import type { ProtocolId, Signature } from './canonical/content.ts';
import type { Dialect, ReasoningField } from './canonical/request.ts';
import type { CanonicalResponse } from './canonical/response.ts';
import type { ProviderSide } from './protocol.ts';
import { protocols } from './registry.ts';
import { writeCarriedSignature } from './translation/carried-signature.ts';

type Fields = Record<string, unknown>;

const vendors = Object.entries(providers).map(([key, row]) => {
  const { chat, alsoSpeaks = [] }: Provider = row;
  return { key, services: [chat, ...alsoSpeaks] };
});
const servicesOf = (id: ProtocolId) =>
  vendors.flatMap(({ key, services }) =>
    services.filter(({ protocol }) => protocol === id).map((service) => ({ key, service })),
  );

function pass(id: 'openai-chat' | 'openai-responses', body: object, { dialect }: ChatService): Fields {
  const parsed = protocols[id].caller.parseRequest(Buffer.from(JSON.stringify({ model: 'm', ...body })));
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return JSON.parse(parsed.request.encodeFor('m', dialect).toString());
}

function translate(id: (typeof callerProtocols)[number]['id'], body: object, service: ChatService): Fields {
  const caller = callerProtocols.find((protocol) => protocol.id === id)?.caller;
  const bytes = Buffer.from(JSON.stringify({ model: 'm', ...body }));
  const parsed = caller?.parseRequest(bytes, { model: 'm', isStream: false });
  const decoded = parsed?.ok ? parsed.request.toCanonical() : null;
  if (!decoded?.ok) throw new Error(`not a request: ${JSON.stringify({ parsed, decoded })}`);
  const side: ProviderSide = protocols[service.protocol].provider;
  const target = { model: 'm', isStream: false, defaultOutputTokensMax: 9_000, isReasoningModel: false };
  const { dialect } = service;
  const encoded = side.encodeRequest(decoded.request, { ...target, ...(dialect && { dialect }) });
  if (!encoded.ok) throw new Error(encoded.problem.message);
  return JSON.parse(JSON.stringify(encoded.body));
}

const user = { role: 'user', content: 'Hello' };
const fieldNames = ['reasoning_content', 'reasoning', 'thinking'] as const;
const thought = { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] };

const think = (field: ReasoningField): Fields =>
  field === 'thinking'
    ? { role: 'assistant', content: [thought, { type: 'text', text: 'Yes' }] }
    : { role: 'assistant', content: 'Yes', [field]: 'Hm' };

function locate(message: unknown): string[] {
  return Object.entries(message ?? {})
    .filter(([, value]) => JSON.stringify(value).includes('Hm'))
    .map(([name]) => (name === 'content' ? 'thinking' : name));
}

const assistantOf = ({ messages }: Fields): Fields =>
  (messages as Fields[]).find(({ role }) => role === 'assistant') ?? {};

function expectField({ reasoningField }: Dialect, cameUnder: ReasoningField): string[] {
  if (reasoningField === 'none') return [];
  return [reasoningField ?? cameUnder];
}

const chatVendors = servicesOf('openai-chat');

const developerVendors: readonly string[] = ['openai', 'azure_openai', 'openrouter'];

it.each(chatVendors)('developer messages reach $key under a role that it accepts', ({ key, service }) => {
  const messages = [{ role: 'developer', name: 'lead', content: 'Be brief.' }, user];
  const [sent] = pass('openai-chat', { messages }, service).messages as Fields[];
  const role = developerVendors.includes(key) ? 'developer' : 'system';
  expect(sent).toEqual({ role, name: 'lead', content: 'Be brief.' });
});

describe('reasoning of earlier turns in passed-through messages', () => {
  it.each(chatVendors.flatMap((vendor) => fieldNames.map((field) => ({ ...vendor, field }))))(
    "reasoning in $field is sent to $key in the vendor's own field, or omitted",
    ({ service, field }) => {
      const sent = assistantOf(pass('openai-chat', { messages: [user, think(field), user] }, service));
      expect(locate(sent)).toEqual(expectField(service.dialect ?? {}, field));
      expect(JSON.stringify(sent.content)).toContain('Yes');
    },
  );

  const formats = [
    'anthropic-claude-v1',
    'google-gemini-v1',
    'openai-responses-v1',
    'cohere-v2',
    'ollama',
  ] as const;
  it.each(chatVendors.flatMap((vendor) => formats.map((format) => ({ ...vendor, format }))))(
    'a signature of the format $format is sent to $key only if $key accepts it',
    ({ service: { dialect, ...service }, format }) => {
      const detail = { type: 'reasoning.text', text: 'Hm', signature: 'c2lnbmF0dXJl', format, index: 0 };
      const message = { ...think('reasoning_content'), reasoning_details: [detail] };
      const sent = pass(
        'openai-chat',
        { messages: [user, message, user] },
        { ...service, ...(dialect && { dialect }) },
      );
      const isNative = format === 'anthropic-claude-v1' || format === 'google-gemini-v1';
      const { takesReasoningDetails = false, reasoningField } = dialect ?? {};
      const isTaken = (takesReasoningDetails || reasoningField === undefined) && isNative;
      expect(JSON.stringify(sent).includes('c2lnbmF0dXJl')).toBe(isTaken);
    },
  );

  it.each(chatVendors)(
    'reasoning details without a format are sent to $key only if $key accepts them or its reasoning field is unknown',
    ({ service }) => {
      const detail = { type: 'reasoning.text', text: 'Hm', signature: 'b3du', index: 0 };
      const message = { role: 'assistant', content: 'Yes', reasoning_details: [detail] };
      const sent = pass('openai-chat', { messages: [user, message, user] }, service);
      const { reasoningField, takesReasoningDetails = false } = service.dialect ?? {};
      expect(JSON.stringify(sent).includes('b3du')).toBe(
        takesReasoningDetails || reasoningField === undefined,
      );
    },
  );
});

describe('tool calls of other models in passed-through messages', () => {
  const calls = (id: string, more: object = {}) => [
    user,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'f', arguments: '{}' }, ...more }],
    },
    { role: 'tool', tool_call_id: id, content: 'ten' },
  ];
  const ids = ['functions.search:0', `call_${'x'.repeat(60)}`, 'toolu_01A', 'abcDEF123'];
  const isFit = (id: string, { toolCallIds }: Dialect) => {
    if (toolCallIds === undefined) return true;
    return toolCallIds === 'nine-alphanumerics' ? /^[a-zA-Z0-9]{9}$/.test(id) : id.length <= 40;
  };

  it.each(chatVendors.flatMap((vendor) => ids.map((id) => ({ ...vendor, id }))))(
    'the call id $id has the form that $key requires, the same for call and result',
    ({ service, id }) => {
      const [, called, result] = pass('openai-chat', { messages: calls(id) }, service).messages as Fields[];
      const [call] = (called?.tool_calls ?? []) as Fields[];
      expect(call?.id).toBe(result?.tool_call_id);
      expect(isFit(String(call?.id), service.dialect ?? {})).toBe(true);
      if (isFit(id, service.dialect ?? {})) expect(call?.id).toBe(id);
    },
  );

  const signature: Signature = { protocol: 'anthropic-messages', value: 'c2lnbmF0dXJl' };
  it.each(chatVendors)("another protocol's signature of a call does not reach $key", ({ service }) => {
    const messages = calls('abcDEF123', {
      extra_content: { [signature.protocol]: { value: signature.value } },
    });
    expect(JSON.stringify(pass('openai-chat', { messages }, service))).not.toContain(signature.value);
  });

  it.each(chatVendors)('response fields that $key does not accept are removed', ({ service }) => {
    const echoed = { role: 'assistant', content: null, refusal: 'No.', annotations: [], audio: null };
    const sent = assistantOf(pass('openai-chat', { messages: [user, echoed, user] }, service));
    const known = service.dialect?.assistantFields;
    if (!known) expect(sent).toEqual(echoed);
    else expect(sent).toEqual({ role: 'assistant', content: 'No.' });
  });
});

describe('renamed fields', () => {
  it.each(chatVendors)(
    '$key receives the seed and the cap under the names that it accepts',
    ({ service }) => {
      const sent = pass('openai-chat', { messages: [user], seed: 7, max_completion_tokens: 90 }, service);
      const { seedField = 'seed', capField = 'max_completion_tokens' } = service.dialect ?? {};
      expect(sent).toMatchObject({ [seedField]: 7, [capField]: 90 });
      expect(Object.keys(sent).toSorted()).toEqual(['messages', 'model', seedField, capField].toSorted());
    },
  );
});

describe('reasoning items of other models in passed input', () => {
  const ownId = 'rs_01890a5d-ac96-774b-bcce-b302099a8057_0';
  const openaiId = `rs_${'0a'.repeat(25)}`;
  const summary = [{ type: 'summary_text', text: 'Hm' }];
  const items = {
    'signed by another protocol': {
      id: ownId,
      encrypted_content: writeCarriedSignature({ protocol: 'gemini', value: 'abc' }, 'reasoning'),
    },
    'unsigned with an id of the gateway': { id: ownId },
    'unsigned with an id of OpenAI': { id: openaiId },
    'unsigned with an id of another vendor': { id: 'rs_tmp_k2x' },
    'encrypted by OpenAI': { id: openaiId, encrypted_content: 'gAAAAABoxyz' },
    'encrypted by another vendor': { id: 'rs_abc', encrypted_content: '86sUxTabc+/=' },
  };
  type Kind = keyof typeof items;
  const kept: Readonly<Record<'of-openai' | 'of-any' | 'others', readonly Kind[]>> = {
    'of-openai': ['unsigned with an id of OpenAI', 'encrypted by OpenAI'],
    'of-any': [
      'unsigned with an id of OpenAI',
      'unsigned with an id of another vendor',
      'encrypted by OpenAI',
      'encrypted by another vendor',
    ],
    others: [
      'unsigned with an id of the gateway',
      'unsigned with an id of OpenAI',
      'unsigned with an id of another vendor',
      'encrypted by another vendor',
    ],
  };
  const kinds = Object.keys(items) as Kind[];

  it.each(servicesOf('openai-responses').flatMap((vendor) => kinds.map((kind) => ({ ...vendor, kind }))))(
    'reasoning that is $kind reaches $key only if $key can read it',
    ({ service, kind }) => {
      const input = [
        user,
        { type: 'reasoning', summary, ...items[kind] },
        { role: 'assistant', content: 'Yes' },
        user,
      ];
      const sent = pass('openai-responses', { input }, service).input as Fields[];
      const isKept = kept[service.dialect?.reasoningItems ?? 'others'].includes(kind);
      expect(sent).toEqual(isKept ? input : input.filter((item) => !('summary' in item)));
    },
  );

  it.each(servicesOf('openai-responses'))(
    'ids that OpenAI rejects reach $key only if $key is another vendor',
    ({ service }) => {
      const callId = `call_${'x'.repeat(80)}`;
      const input = [
        user,
        { type: 'message', id: 'item_1', role: 'assistant', content: 'Yes' },
        { type: 'function_call', id: '17', call_id: callId, name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: callId, output: 'ten' },
      ];
      const sent = pass('openai-responses', { input }, service).input as Fields[];
      if (service.dialect?.reasoningItems !== 'of-openai') expect(sent).toEqual(input);
      else {
        expect(sent.map(({ id }) => id)).toEqual([undefined, undefined, undefined, undefined]);
        expect(sent[2]?.call_id).toBe(sent[3]?.call_id);
        expect(String(sent[2]?.call_id).length).toBeLessThanOrEqual(64);
      }
    },
  );
});

describe('thinking of other models in passed-through messages for Anthropic', () => {
  const passToClaude = (content: object[], model = 'claude-opus-4-8') => {
    const messages = [user, { role: 'assistant', content }, user];
    const body = Buffer.from(JSON.stringify({ model, max_tokens: 9, messages }));
    const parsed = protocols['anthropic-messages'].caller?.parseRequest(body, {
      model: null,
      isStream: null,
    });
    if (!parsed?.ok) throw new Error('not a request');
    return JSON.parse(parsed.request.encodeFor(model).toString()).messages[1].content;
  };
  const text = { type: 'text', text: 'Yes' };
  const sign = (signature: string) => ({ type: 'thinking', thinking: 'Hm', signature });

  it.each([
    ['', 'no signature'],
    ['0123456789abcdef0123456789abcdef', 'a digest'],
    ['01890a5d-ac96-774b-bcce-b302099a8057', 'a UUID'],
    [writeCarriedSignature({ protocol: 'gemini', value: 'abc' }, 'reasoning'), "another protocol's"],
  ])('thinking with the signature %j (%s) does not reach Claude', (signature) => {
    expect(passToClaude([sign(signature), text])).toEqual([text]);
  });

  it('thinking signed by Claude is sent back to Claude unchanged', () => {
    const own = sign('EuYBCkQYAiJAgCs1le6/Pol5Z4/JMomVOouGrWdhYNsH3ukzUECbB6iWrSQtsQuRHJID6lWV');
    expect(passToClaude([own, text])).toEqual([own, text]);
  });

  it('call ids that Anthropic rejects are mapped to ids that it accepts', () => {
    const call = { type: 'tool_use', id: 'functions.search:0', name: 'search', input: {} };
    expect(passToClaude([call])[0].id).toMatch(/^[a-zA-Z0-9_-]+$/);
  });
});

describe('reasoning in vendor-specific fields', () => {
  const answers: Readonly<Record<ReasoningField, Fields>> = {
    reasoning_content: { reasoning_content: 'Hm', content: 'Yes' },
    reasoning: { reasoning: 'Hm', content: 'Yes' },
    thinking: { content: [thought, { type: 'text', text: 'Yes' }] },
  };
  const { provider } = protocols['openai-chat'];
  const facts = { id: 'c', created: 1, model: 'm' };
  const readers: Readonly<Record<string, (message: Fields) => CanonicalResponse | null>> = {
    whole: (message) =>
      provider.decodeResponse(
        Buffer.from(JSON.stringify({ ...facts, choices: [{ index: 0, message, finish_reason: 'stop' }] })),
      ),
    streamed(delta) {
      const frames = [{ delta }, { delta: {}, finish_reason: 'stop' }].map(
        (choice) => `data: ${JSON.stringify({ ...facts, choices: [{ index: 0, ...choice }] })}\n\n`,
      );
      return collectAnswer(replayStream(provider, Buffer.from(`${frames.join('')}data: [DONE]\n\n`)));
    },
  };
  const nextTurns: Readonly<Record<string, (answer: Fields) => object>> = {
    'anthropic-messages': ({ content }) => ({
      max_tokens: 900,
      messages: [user, { role: 'assistant', content }, user],
    }),
    'openai-responses': ({ output }) => ({ input: [user, ...(output as object[]), user] }),
    gemini({ candidates }) {
      const [{ content } = { content: {} }] = candidates as { content: object }[];
      const said = { role: 'user', parts: [{ text: 'Hello' }] };
      return { contents: [said, content, said] };
    },
  };
  const ways = chatVendors.flatMap((vendor) =>
    fieldNames.flatMap((field) =>
      callerProtocols
        .filter(({ id }) => nextTurns[id])
        .flatMap((protocol) =>
          Object.keys(readers).map((form) => ({ ...vendor, field, caller: protocol.id, form })),
        ),
    ),
  );

  it.each(ways)(
    'reasoning in $field of a $form response returns to $key in its own field or is omitted, with the next turn of a caller of $caller',
    ({ service, field, caller, form }) => {
      const response = readers[form]?.(answers[field]);
      const side = callerProtocols.find(({ id }) => id === caller)?.caller;
      if (!response || !side) throw new Error('the answer could not be decoded');
      const answer = { ...side.encodeResponse(response, answerContext) } as Fields;
      const sent = assistantOf(translate(caller, nextTurns[caller]?.(answer) ?? {}, service));
      expect(locate(sent)).toEqual(expectField(service.dialect ?? {}, field));
    },
  );
});
