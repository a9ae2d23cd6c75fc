import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import type { AssistantPart, Message, ProtocolId, UserPart } from '../canonical/content.ts';
import type { CanonicalRequest } from '../canonical/request.ts';
import { readModelTraits } from './model-traits.ts';
import { parseRequest } from './read-request.ts';
import { encodeFor, encodingProblem, makeRequest, user } from './testing/exchange.ts';

const anyText = fc
  .oneof(fc.string({ maxLength: 8 }), fc.constantFrom('', ' ', '\n\t', 'words '))
  .map((text) => ({ type: 'text', text }) as const);
const anyId = fc.constantFrom('call_1', 'call:1', 'fc.2', 'ä', 'toolu_3');
const protocol = fc.constantFrom<ProtocolId>('anthropic-messages', 'gemini', 'openai-responses');

const userPart: fc.Arbitrary<UserPart> = fc.oneof(
  anyText,
  fc.constant<UserPart>({ type: 'image', source: { kind: 'url', url: 'https://example.com/a' } }),
  fc.record({
    type: fc.constant('tool-result' as const),
    callId: anyId,
    parts: fc.array(anyText, { maxLength: 2 }),
    isError: fc.boolean(),
  }),
);
const assistantPart: fc.Arbitrary<AssistantPart> = fc.oneof(
  anyText,
  fc.record({ type: fc.constant('refusal' as const), text: fc.string({ maxLength: 4 }) }),
  fc.record({
    type: fc.constant('tool-call' as const),
    id: anyId,
    name: fc.constant('read'),
    arguments: fc.oneof(fc.json({ maxDepth: 1 }), fc.constantFrom('', '{"cut', 'null')),
  }),
  fc.record(
    {
      type: fc.constant('reasoning' as const),
      text: fc.string({ maxLength: 4 }),
      isRedacted: fc.boolean(),
      signature: fc.record({ protocol, value: fc.constant('c2ln') }),
    },
    { requiredKeys: ['type', 'text', 'isRedacted'] },
  ),
);
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant('system' as const), parts: fc.array(anyText, { maxLength: 2 }) }),
  fc.record({ role: fc.constant('user' as const), parts: fc.array(userPart, { maxLength: 3 }) }),
  fc.record({ role: fc.constant('assistant' as const), parts: fc.array(assistantPart, { maxLength: 3 }) }),
);
const tool = { name: 'read', parameters: { type: 'object', properties: {} }, isStrict: true };

const untidy: fc.Arbitrary<CanonicalRequest> = fc
  .record(
    {
      messages: fc.array(message, { maxLength: 6 }),
      tools: fc.constantFrom([], [tool]),
      toolChoice: fc.constantFrom<CanonicalRequest['toolChoice']>(
        { kind: 'auto' },
        { kind: 'none' },
        { kind: 'required' },
        { kind: 'tool', name: 'read' },
      ),
      isParallelToolUse: fc.boolean(),
      outputTokensMax: fc.integer({ min: 1, max: 100_000 }),
      sampling: fc.record(
        {
          temperature: fc.double({ min: 0, max: 2, noNaN: true }),
          topP: fc.double({ min: 0, max: 1, noNaN: true }),
        },
        { requiredKeys: [] },
      ),
      responseFormat: fc.constantFrom<CanonicalRequest['responseFormat']>(
        { kind: 'json' },
        { kind: 'json-schema', name: 'town', schema: { type: 'object', properties: {} } },
      ),
      reasoning: fc.record(
        { effort: fc.constantFrom('none', 'low', 'xhigh'), budgetTokens: fc.integer({ min: 0, max: 9000 }) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: ['messages'] },
  )
  .map(makeRequest);
const model = fc.constantFrom(
  'claude-3-5-sonnet-20241022',
  'claude-3-7-sonnet-20250219',
  'claude-sonnet-4-5',
  'claude-opus-4-6',
  'claude-opus-4-8',
  'claude-opus-5-5',
  'kimi-k2',
);

/** Other requests must be rejected with a `param`. */
function checkEncoded(check: (body: ReturnType<typeof encodeFor>['body'], name: string) => void): void {
  fc.assert(
    fc.property(untidy, model, (request, name) => {
      const problem = encodingProblem(name, request);
      if (problem) expect(problem).toMatchObject({ code: 'invalid_request', param: 'max_tokens' });
      else check(encodeFor(name, request).body, name);
    }),
    { numRuns: sampleRuns(1000) },
  );
}

const blocksOf = ({ content }: { readonly content: readonly object[] }) =>
  // safe because encoded blocks are plain objects, and a missing field reads as undefined
  content as readonly Readonly<Record<string, unknown>>[];

describe("encoded requests follow Anthropic's rules", () => {
  it('M2: encodeRequest alternates roles, starts with a user turn, and sends no empty turn', () => {
    checkEncoded(({ messages }, name) => {
      expect(messages[0]?.role).toBe('user');
      for (const [index, { role, content }] of messages.entries()) {
        expect(content.length).toBeGreaterThan(0);
        expect(role).not.toBe(messages[index - 1]?.role);
        if (role !== 'system') continue;
        expect(readModelTraits(name).hasSystemTurns).toBe(true);
        expect(messages[index - 1]?.role).toBe('user');
        expect(['assistant', undefined]).toContain(messages[index + 1]?.role);
      }
    });
  });

  it('M3: encodeRequest sends no blank text and no trailing white space in a prefilled response', () => {
    checkEncoded(({ system = [], messages }) => {
      const blocks = [...blocksOf({ content: system }), ...messages.flatMap(blocksOf)];
      const nested = blocks.flatMap(({ content }) => (Array.isArray(content) ? content : []));
      for (const { type, text } of [...blocks, ...nested])
        if (type === 'text') expect(String(text).trim()).not.toBe('');
      const last = messages.at(-1);
      const block = last && blocksOf(last).at(-1);
      if (last?.role === 'assistant' && block?.type === 'text')
        expect(String(block.text)).toBe(String(block.text).trimEnd());
    });
  });

  it('T5, T6, T7: encodeRequest sends inputs as objects, valid IDs, and tool results first', () => {
    checkEncoded(({ messages }) => {
      for (const turn of messages) {
        const blocks = blocksOf(turn);
        for (const { type, id, tool_use_id, input } of blocks) {
          if (type === 'tool_use') expect(String(id)).toMatch(/^[a-zA-Z0-9_-]+$/);
          if (type === 'tool_use') expect(Object.prototype.toString.call(input)).toBe('[object Object]');
          if (type === 'tool_result') expect(String(tool_use_id)).toMatch(/^[a-zA-Z0-9_-]+$/);
        }
        const isResult = blocks.map(({ type }) => type === 'tool_result');
        expect(isResult.lastIndexOf(true)).toBe(isResult.filter(Boolean).length - 1);
      }
    });
  });

  it('M7: encodeRequest sends only thinking signed by Anthropic, or unsigned if the model does not sign', () => {
    checkEncoded(({ messages }, name) => {
      const signatures = readModelTraits(name).checksSignatures ? ['c2ln'] : ['c2ln', ''];
      for (const { type, signature, data } of messages.flatMap(blocksOf)) {
        if (type === 'thinking') expect(signatures).toContain(signature);
        if (type === 'redacted_thinking') expect(data).toBe('c2ln');
      }
    });
  });

  it('T3, P2: encodeRequest sends no conflicting tool choice, sampling, and thinking fields', () => {
    checkEncoded(({ tools, tool_choice, thinking, temperature, top_p }, name) => {
      if (tools === undefined) expect(tool_choice).toBeUndefined();
      const { type } = (thinking ?? {}) as { type?: string };
      const isThinking = type === 'enabled' || type === 'adaptive';
      if (isThinking) expect([temperature, top_p]).toEqual([undefined, undefined]);
      if (type === 'enabled') expect(JSON.stringify(tool_choice ?? {})).not.toMatch(/"(any|tool)"/);
      const { hasSampling, hasTemperatureWithTopP } = readModelTraits(name);
      if (!hasSampling) expect([temperature, top_p]).toEqual([undefined, undefined]);
      if (!hasTemperatureWithTopP) expect([temperature, top_p]).toContain(undefined);
      if (temperature !== undefined) expect(temperature).toBeLessThanOrEqual(1);
    });
  });

  it('P1: encodeRequest sends max_tokens above the budget and a body that parseRequest accepts', () => {
    checkEncoded((body) => {
      const { budget_tokens: budget } = (body.thinking ?? {}) as { budget_tokens?: number };
      if (budget !== undefined) expect(body.max_tokens).toBeGreaterThan(budget);
      expect(parseRequest(Buffer.from(JSON.stringify(body)))).toMatchObject({ ok: true });
    });
  });

  it('encodeRequest encodes four conversations of 100,000 messages or calls in less than 10 s', () => {
    const many = <Item>(item: Item) => Array.from({ length: 100_000 }, () => item);
    const startMs = performance.now();
    for (const role of ['system', 'user', 'assistant'] as const)
      encodeFor('claude-opus-4-8', { messages: many({ role, parts: [{ type: 'text', text: 'a' }] }) });
    const call = { type: 'tool-call', id: 't', name: 'read', arguments: '{}' } as const;
    const result = { type: 'tool-result', callId: 't', parts: [], isError: false } as const;
    encodeFor('claude-opus-4-8', {
      messages: [
        { role: 'assistant', parts: many(call) },
        { role: 'user', parts: many(result) },
      ],
    });
    // Quadratic time would take minutes.
    expect(performance.now() - startMs).toBeLessThan(10_000);
  });
});

describe('conversation that continues without tools', () => {
  const called: Message[] = [
    user('q'),
    { role: 'assistant', parts: [{ type: 'tool-call', id: 'c1', name: 'read', arguments: '{}' }] },
    { role: 'user', parts: [{ type: 'tool-result', callId: 'c1', name: 'read', parts: [], isError: false }] },
    { role: 'assistant', parts: [{ type: 'tool-call', id: 'c2', name: 'read', arguments: '{}' }] },
    { role: 'user', parts: [{ type: 'tool-result', callId: 'c2', name: 'read', parts: [], isError: false }] },
  ];

  it('encodeRequest declares the called tools, which Anthropic requires, and allows no calls', () => {
    const { body } = encodeFor('claude-sonnet-4-5', { messages: called, isParallelToolUse: true });
    expect(body.tools).toEqual([{ name: 'read', input_schema: { type: 'object' } }]);
    expect(body.tool_choice).toEqual({ type: 'none' });
  });

  it('encodeRequest declares no tools if none were called', () => {
    const { body } = encodeFor('claude-sonnet-4-5', {
      toolChoice: { kind: 'auto' },
      isParallelToolUse: false,
    });
    expect(body).not.toHaveProperty('tools');
    expect(body).not.toHaveProperty('tool_choice');
  });
});
