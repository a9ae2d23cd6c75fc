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
  if (!decoded || !choice) throw new Error('the body is not a response');
  return { ...decoded, parts: choice.parts, finish: choice.finish };
};
const text = (value: string) => ({ type: 'text', text: value }) as const;
const use = (name: string, input: unknown = {}) => ({ type: 'tool_use', id: `toolu_${name}`, name, input });

describe('complete response from a provider', () => {
  it('decodeResponse returns ID and model but no time, which Anthropic does not send', () => {
    expect(decode([text('Hi')])).toMatchObject({
      id: 'msg_1',
      model: 'claude-sonnet-4-5',
      createdAtSeconds: null,
    });
    expect(decode([], { id: '', model: undefined })).toMatchObject({ id: null, model: null });
  });

  it('G2: decodeResponse ignores unknown fields and blocks, including server tool calls (T10)', () => {
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

  it('T5: decodeResponse returns arguments as JSON text without losing digits', () => {
    const body = JSON.stringify(answer([use('a', { x: 'DIGITS' }), use('b'), use('c', undefined)]));
    const decoded = decodeText(body.replace('"DIGITS"', '12345678901234567890'));
    expect(decoded?.choices[0]?.parts).toMatchObject([
      { name: 'a', arguments: '{"x":12345678901234567890}' },
      { name: 'b', arguments: '{}' },
      { name: 'c', arguments: '{}' },
    ]);
  });

  it('M7: decodeResponse keeps the signature of thinking and the data of redacted thinking', () => {
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

  it('P5: decodeResponse turns a call of the answer tool into text with the finish reason stop', () => {
    expect(decode([use(answerToolName, { town: 'Bern' })], { stop_reason: 'tool_use' })).toMatchObject({
      parts: [text('{"town":"Bern"}')],
      finish: { reason: 'stop' },
    });
  });

  it("P5: decodeResponse returns tool-calls if the answer tool is called together with a caller's tool", () => {
    const content = [use('read'), use(answerToolName, { town: 'Bern' })];
    expect(decode(content, { stop_reason: 'tool_use' })).toMatchObject({
      parts: [{ type: 'tool-call', name: 'read' }, text('{"town":"Bern"}')],
      finish: { reason: 'tool-calls' },
    });
  });

  it('F2: decodeResponse returns the explanation of a refusal', () => {
    const details = { type: 'refusal', category: 'cyber', explanation: 'No.' };
    expect(decode([text('I begin')], { stop_reason: 'refusal', stop_details: details })).toMatchObject({
      parts: [text('I begin'), { type: 'refusal', text: 'No.' }],
      finish: { reason: 'content-filter' },
    });
    expect(decode([], { stop_reason: 'refusal', stop_details: null }).parts).toEqual([]);
  });

  it.each([
    ['HTML', '<html>Bad gateway</html>'],
    ['an empty body', ''],
    ["another protocol's response", '{"id":"x","choices":[{"message":{"content":"x"}}]}'],
    ['a list', '[]'],
    ['null', 'null'],
    ['blocks without a type', '{"content":[{"text":"x"}]}'],
    ['a text that is not a string', '{"content":[{"type":"text","text":7}]}'],
    ['a call without a name', '{"content":[{"type":"tool_use","id":"t"}]}'],
  ])('decodeResponse returns null for %s', (_name, body) => {
    expect(decodeText(body)).toBeNull();
  });
});

const protocol = 'anthropic-messages';

describe('complete response for a caller', () => {
  const encode = (
    parts: AssistantPart[],
    finish: Finish = { reason: 'stop', native: null },
    fields: Partial<CanonicalResponse> = {},
  ) =>
    encodeResponse(
      { id: null, model: null, createdAtSeconds: null, choices: [{ parts, finish }], usage: null, ...fields },
      answerContext,
    );

  it('encodeResponse fills in every field that Anthropic clients read', () => {
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

  it("G3: encodeResponse keeps the provider's ID and model", () => {
    expect(encode([], undefined, { id: 'chatcmpl-1', model: 'gpt-5' })).toMatchObject({
      id: 'chatcmpl-1',
      model: 'gpt-5',
    });
  });

  it('T5, T6: encodeResponse sends arguments as an object and call IDs that can be sent back', () => {
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

  it('M3: encodeResponse omits empty blocks, which callers could not send back', () => {
    expect(encode([{ type: 'text', text: '' }])).toMatchObject({ content: [] });
    expect(encode([{ type: 'reasoning', text: '', isRedacted: false }])).toMatchObject({ content: [] });
    expect(encode([{ type: 'reasoning', text: '', isRedacted: true }])).toMatchObject({ content: [] });
  });

  it('S7: encodeResponse sends unsigned reasoning as thinking with an empty signature', () => {
    expect(encode([{ type: 'reasoning', text: 'hm', isRedacted: false }])).toMatchObject({
      content: [{ type: 'thinking', thinking: 'hm', signature: '' }],
    });
  });

  it('F2: encodeResponse sends a refusal as the explanation of the stop', () => {
    expect(encode([{ type: 'refusal', text: 'No.' }])).toMatchObject({
      content: [],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', explanation: 'No.' },
    });
  });

  it('encodeResponse returns empty content if there are no choices', () => {
    expect(encode([], undefined, { choices: [] })).toMatchObject({ content: [], stop_reason: 'end_turn' });
  });
});

describe('M7: signatures of other protocols after a round trip', () => {
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

  it('encodeResponse carries signatures in thinking blocks and puts the signature of a call right before the call', () => {
    const encoded = encodeResponse(
      { id: null, model: null, createdAtSeconds: null, choices: [{ parts, finish }], usage: null },
      answerContext,
    );
    expect(encoded).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'hm' },
        { type: 'redacted_thinking' },
        { type: 'thinking', thinking: '' },
        { type: 'tool_use', id: 'call_1' },
        { type: 'tool_use', id: 'call_2' },
        { type: 'text' },
      ],
    });
    expect(decodeText(JSON.stringify(encoded))?.choices[0]?.parts).toEqual(parts);
  });
});
