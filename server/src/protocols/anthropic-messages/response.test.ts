import { describe, expect, it } from 'vitest';
import type { AssistantPart } from '../canonical/content.ts';
import type { CanonicalResponse, Finish } from '../canonical/response.ts';
import { answerToolName } from './answer-format.ts';
import { decodeResponse, encodeResponse } from './response.ts';
import { answerContext } from './testing/exchange.ts';

const answer = (content: object[], fields: object = {}) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 5 },
  ...fields,
});
const decodeText = (text: string) => decodeResponse(Buffer.from(text));
const decode = (content: object[], fields: object = {}) => {
  const decoded = decodeText(JSON.stringify(answer(content, fields)));
  const [choice] = decoded?.choices ?? [];
  if (!decoded || !choice) throw new Error('not an answer');
  return { ...decoded, parts: choice.parts, finish: choice.finish };
};
const text = (value: string) => ({ type: 'text', text: value }) as const;
const use = (name: string, input: unknown = {}) => ({ type: 'tool_use', id: `toolu_${name}`, name, input });

describe('a whole answer of a provider', () => {
  it('tells its identity, and no time, since Anthropic tells none', () => {
    expect(decode([text('Hi')])).toMatchObject({
      id: 'msg_1',
      model: 'claude-sonnet-4-5',
      createdAtSeconds: null,
    });
    expect(decode([], { id: '', model: undefined })).toMatchObject({ id: null, model: null });
  });

  it('G2: unknown fields and blocks are ignored, among them the calls of server tools (T10)', () => {
    const content = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      { type: 'not_invented_yet' },
      { ...text('Found.'), citations: [{ type: 'x' }] },
    ];
    expect(decode(content, { container: {}, stop_reason: 'tool_use' })).toMatchObject({
      parts: [text('Found.')],
      finish: { reason: 'stop', native: 'tool_use' },
    });
  });

  it('T5: arguments as JSON text, none as an empty object, and no digit lost', () => {
    const body = JSON.stringify(answer([use('a', { x: 'DIGITS' }), use('b'), use('c', undefined)]));
    const decoded = decodeText(body.replace('"DIGITS"', '12345678901234567890'));
    expect(decoded?.choices[0]?.parts).toMatchObject([
      { name: 'a', arguments: '{"x":12345678901234567890}' },
      { name: 'b', arguments: '{}' },
      { name: 'c', arguments: '{}' },
    ]);
  });

  it('M7: thinking with its signature, redacted thinking with its data', () => {
    expect(
      decode([
        { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
        { type: 'thinking', thinking: '', signature: 'b21pdHRlZA==' },
        { type: 'redacted_thinking', data: 'ZGF0YQ==' },
      ]).parts,
    ).toEqual([
      { type: 'reasoning', text: 'hm', isRedacted: false, signature: { protocol, value: 'c2ln' } },
      { type: 'reasoning', text: '', isRedacted: false, signature: { protocol, value: 'b21pdHRlZA==' } },
      { type: 'reasoning', text: '', isRedacted: true, signature: { protocol, value: 'ZGF0YQ==' } },
    ]);
  });

  it('P5: an answer that came as a call is text again, and the end an ordinary one', () => {
    expect(decode([use(answerToolName, { town: 'Bern' })], { stop_reason: 'tool_use' })).toMatchObject({
      parts: [text('{"town":"Bern"}')],
      finish: { reason: 'stop' },
    });
  });

  it("P5: beside a call of the caller's own it is still a call that ends the answer", () => {
    const content = [use('read'), use(answerToolName, { town: 'Bern' })];
    expect(decode(content, { stop_reason: 'tool_use' })).toMatchObject({
      parts: [{ type: 'tool-call', name: 'read' }, text('{"town":"Bern"}')],
      finish: { reason: 'tool-calls' },
    });
  });

  it('F2: the words of a refusal', () => {
    const details = { type: 'refusal', category: 'cyber', explanation: 'No.' };
    expect(decode([text('I begin')], { stop_reason: 'refusal', stop_details: details })).toMatchObject({
      parts: [text('I begin'), { type: 'refusal', text: 'No.' }],
      finish: { reason: 'content-filter' },
    });
    expect(decode([], { stop_reason: 'refusal', stop_details: null }).parts).toEqual([]);
  });

  it.each([
    ['HTML', '<html>Bad gateway</html>'],
    ['nothing', ''],
    ['an error', '{"type":"error","error":{"type":"api_error","message":"x"}}'],
    ["another protocol's answer", '{"id":"x","choices":[{"message":{"content":"x"}}]}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['blocks without a type', '{"content":[{"text":"x"}]}'],
    ['a text that is none', '{"content":[{"type":"text","text":7}]}'],
    ['a call without a name', '{"content":[{"type":"tool_use","id":"t"}]}'],
  ])('is not %s', (_name, body) => {
    expect(decodeText(body)).toBeNull();
  });
});

const protocol = 'anthropic-messages';

describe('a whole answer for a caller', () => {
  const encode = (
    parts: AssistantPart[],
    finish: Finish = { reason: 'stop', native: null },
    fields: Partial<CanonicalResponse> = {},
  ) =>
    encodeResponse(
      { id: null, model: null, createdAtSeconds: null, choices: [{ parts, finish }], usage: null, ...fields },
      answerContext,
    );

  it('has every field that its clients read, made up where the provider gave none', () => {
    expect(encode([{ type: 'text', text: 'Hi' }])).toEqual({
      id: 'msg_r1',
      type: 'message',
      role: 'assistant',
      model: 'asked',
      content: [text('Hi')],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: {
        input_tokens: 0,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 0,
      },
    });
  });

  it('G3: keeps the identity that the provider gave', () => {
    expect(encode([], undefined, { id: 'chatcmpl-1', model: 'gpt-5' })).toMatchObject({
      id: 'chatcmpl-1',
      model: 'gpt-5',
    });
  });

  it('T5: arguments become an object, T6: ids such as can be sent back', () => {
    expect(
      encode([
        { type: 'tool-call', id: 'call.1', name: 'read', arguments: '{"a":1}' },
        { type: 'tool-call', id: 'call_2', name: 'read', arguments: '' },
      ]),
    ).toMatchObject({
      content: [
        { type: 'tool_use', id: expect.stringMatching(/^toolu_[\w-]+$/), name: 'read', input: { a: 1 } },
        { type: 'tool_use', id: 'call_2', input: {} },
      ],
    });
  });

  it('M3: an empty text is no block, since nobody could send it back', () => {
    expect(encode([{ type: 'text', text: '' }])).toMatchObject({ content: [] });
    expect(encode([{ type: 'reasoning', text: '', isRedacted: false }])).toMatchObject({ content: [] });
    expect(encode([{ type: 'reasoning', text: '', isRedacted: true }])).toMatchObject({ content: [] });
  });

  it('S7: reasoning that nobody signed is thinking with an empty signature', () => {
    expect(encode([{ type: 'reasoning', text: 'hm', isRedacted: false }])).toMatchObject({
      content: [{ type: 'thinking', thinking: 'hm', signature: '' }],
    });
  });

  it('F2: the words of a refusal are the explanation of the stop', () => {
    expect(encode([{ type: 'refusal', text: 'No.' }])).toMatchObject({
      content: [],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', explanation: 'No.' },
    });
  });

  it('an answer without choices is empty', () => {
    expect(encode([], undefined, { choices: [] })).toMatchObject({ content: [], stop_reason: 'end_turn' });
  });
});

describe("M7: another protocol's signatures survive a caller's round trip", () => {
  const signature = (name: 'gemini' | 'openai-responses', id?: string) => ({
    protocol: name,
    value: 'c2ln:mit:Doppelpunkt',
    ...(id !== undefined && { id }),
  });
  const parts: AssistantPart[] = [
    { type: 'reasoning', text: 'hm', isRedacted: false, signature: signature('gemini') },
    { type: 'reasoning', text: '', isRedacted: true, signature: signature('openai-responses', 'rs_1:ä') },
    {
      type: 'tool-call',
      id: 'call_1',
      name: 'read',
      arguments: '{"a":1}',
      signature: signature('gemini'),
    },
    { type: 'tool-call', id: 'call_2', name: 'read', arguments: '{}' },
    { type: 'text', text: 'Hi' },
  ];
  const finish = { reason: 'tool-calls', native: null } as const;

  it("in thinking blocks, a call's in one right after it", () => {
    const encoded = encodeResponse(
      { id: null, model: null, createdAtSeconds: null, choices: [{ parts, finish }], usage: null },
      answerContext,
    );
    expect(encoded).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'redacted_thinking' },
        { type: 'tool_use', id: 'call_1' },
        { type: 'thinking', thinking: '' },
        { type: 'tool_use', id: 'call_2' },
        { type: 'text' },
      ],
    });
    expect(decodeText(JSON.stringify(encoded))?.choices[0]?.parts).toEqual(parts);
  });
});
