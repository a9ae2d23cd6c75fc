import { describe, expect, it } from 'vitest';
import { finish } from '#platform/steps.ts';
import type { AssistantPart, Message, ReasoningPart, Signature, ToolCallPart } from '../canonical/content.ts';
import type { Dialect } from '../canonical/request.ts';
import type { RequestTarget } from '../protocol.ts';
import { encodeMessages } from './messages-encoder.ts';

const targetOf = (dialect: Dialect = {}, isReasoningModel = false): RequestTarget => ({
  model: 'm',
  isStream: false,
  defaultOutputTokensMax: 4_096,
  isReasoningModel,
  dialect,
});

interface Encoded {
  readonly messages: object[];
  readonly leftOut: string[];
}
function encode(messages: Message[], target = targetOf()): Encoded {
  const leftOut: string[] = [];
  return { messages: finish(encodeMessages(messages, target, (name) => leftOut.push(name))), leftOut };
}
const encodeAnswer = (parts: AssistantPart[], target = targetOf()) =>
  encode([{ role: 'assistant', parts }], target);

const call = (fields: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'tool-call',
  id: 'call_1',
  name: 'look_up',
  arguments: '{}',
  ...fields,
});
const thought = (fields: Partial<ReasoningPart> = {}): ReasoningPart => ({
  type: 'reasoning',
  text: 'Let me see.',
  isRedacted: false,
  ...fields,
});
const text = (value: string) => ({ type: 'text', text: value }) as const;

describe('encodeMessages system texts', () => {
  it.each([
    ['system', false],
    ['developer', true],
  ])('encodeMessages writes system text after a user message with the role %s', (role, isReasoningModel) => {
    const conversation: Message[] = [
      { role: 'user', parts: [text('Hi')] },
      { role: 'system', parts: [text('Be brief.')] },
    ];
    expect(encode(conversation, targetOf({}, isReasoningModel)).messages).toEqual([
      { role: 'user', content: 'Hi' },
      { role, content: 'Be brief.' },
    ]);
  });

  it('encodeMessages keeps the parts of a system message and writes an empty one as an empty text', () => {
    expect(encode([{ role: 'system', parts: [text('One.'), text('Two.')] }]).messages).toEqual([
      {
        role: 'system',
        content: [
          { type: 'text', text: 'One.' },
          { type: 'text', text: 'Two.' },
        ],
      },
    ]);
    expect(encode([{ role: 'system', parts: [] }]).messages).toEqual([{ role: 'system', content: '' }]);
  });
});

describe('encodeMessages results', () => {
  const results = (...ids: string[]): Message => ({
    role: 'user',
    parts: ids.map((callId) => ({
      type: 'tool-result',
      callId,
      parts: [text(`of ${callId}`)],
      isError: false,
    })),
  });

  it("encodeMessages writes one message per result in call order, then the user's text", () => {
    const { parts } = results('a', 'b');
    // safe because `results` returns a user turn
    const turn = { role: 'user', parts: [...parts, text('And now?')] } as Message;
    expect(encode([turn]).messages).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'of a' },
      { role: 'tool', tool_call_id: 'b', content: 'of b' },
      { role: 'user', content: 'And now?' },
    ]);
  });

  it.each([
    ['short ids', {}, 'call_1', 'call_1'],
    ['ids of nine letters and digits', { toolCallIds: 'nine-alphanumerics' }, 'abcDEF123', 'abcDEF123'],
  ] as const)('encodeMessages keeps %s in the call and its result', (_, dialect, id, sent) => {
    const conversation: Message[] = [{ role: 'assistant', parts: [call({ id })] }, results(id)];
    const { messages } = encode(conversation, targetOf(dialect));
    expect(messages).toMatchObject([{ tool_calls: [{ id: sent }] }, { tool_call_id: sent }]);
  });

  it.each([
    ['too long', {}, `call_${'x'.repeat(60)}`, /^.{1,40}$/],
    ['invalid form', { toolCallIds: 'nine-alphanumerics' }, 'toolu_01', /^[a-zA-Z0-9]{9}$/],
  ] as const)(
    'encodeMessages replaces ids (%s) in call and result with the same id each time',
    (_, dialect, id, form) => {
      const conversation: Message[] = [{ role: 'assistant', parts: [call({ id })] }, results(id)];
      const first = JSON.stringify(encode(conversation, targetOf(dialect)).messages);
      const sent = /"tool_call_id":"([^"]+)"/.exec(first)?.[1] ?? '';
      expect(sent).toMatch(form);
      expect(first.split(`"${sent}"`)).toHaveLength(3);
      expect(JSON.stringify(encode(conversation, targetOf(dialect)).messages)).toBe(first);
    },
  );
});

describe('encodeMessages previous responses', () => {
  it.each<[what: string, parts: AssistantPart[], message: object]>([
    ['text in pieces', [text('One, '), text('two.')], { content: 'One, two.' }],
    ['nothing', [], { content: '' }],
    ['only a call', [call()], { content: null }],
    ['a text before a call', [text('I look.'), call()], { content: 'I look.' }],
    ['a refusal', [{ type: 'refusal', text: 'No.' }], { content: null, refusal: 'No.' }],
    ['a call without arguments', [call()], { tool_calls: [{ function: { arguments: '{}' } }] }],
  ])('encodeMessages writes a response: %s', (_, parts, message) => {
    expect(encodeAnswer(parts).messages).toMatchObject([{ role: 'assistant', ...message }]);
  });

  it('encodeMessages omits calls and refusal of a message that has neither', () => {
    expect(encodeAnswer([text('Hi')]).messages).toEqual([{ role: 'assistant', content: 'Hi' }]);
  });
});

describe('encodeMessages reasoning of previous turns (M7)', () => {
  const takesDetails: Dialect = { reasoningField: 'reasoning', takesReasoningDetails: true };

  it.each(['reasoning_content', 'reasoning'] as const)(
    'encodeMessages writes reasoning as text for vendors that accept %s',
    (reasoningField) => {
      const { messages, leftOut } = encodeAnswer([thought(), text('Done.')], targetOf({ reasoningField }));
      expect(messages).toEqual([{ role: 'assistant', content: 'Done.', [reasoningField]: 'Let me see.' }]);
      expect(leftOut).toEqual([]);
    },
  );

  it.each<[what: string, parts: AssistantPart[], said: object[]]>([
    ['before the text', [thought(), text('Done.')], [{ type: 'text', text: 'Done.' }]],
    ['alone before a call', [thought(), call()], []],
  ])('encodeMessages writes reasoning as content parts %s', (_, parts, said) => {
    const { messages } = encodeAnswer(parts, targetOf({ reasoningField: 'thinking' }));
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'Let me see.' }] };
    expect(messages).toMatchObject([{ content: [thinking, ...said] }]);
  });

  it.each<[what: string, part: ReasoningPart, dialect: Dialect]>([
    ['for vendors that accept none', thought(), {}],
    ['if it was hidden', thought({ text: '', isRedacted: true }), { reasoningField: 'reasoning' }],
    [
      "if it is another protocol's signature",
      thought({ text: '', signature: { protocol: 'gemini', value: 's' } }),
      { reasoningField: 'reasoning' },
    ],
  ])('encodeMessages leaves out reasoning with a warning %s', (_, part, dialect) => {
    const { messages, leftOut } = encodeAnswer([part, text('Done.')], targetOf(dialect));
    expect(messages).toEqual([{ role: 'assistant', content: 'Done.' }]);
    expect(leftOut).toEqual(['reasoning of earlier turns']);
  });

  const signed = thought({ signature: { protocol: 'openai-chat', value: '{"type":"reasoning.text"}' } });

  it('encodeMessages writes reasoning signed by this protocol only to reasoning_details', () => {
    const { messages, leftOut } = encodeAnswer([signed, text('Done.')], targetOf(takesDetails));
    expect(messages).toMatchObject([{ content: 'Done.', reasoning_details: [expect.anything()] }]);
    expect(messages[0]).not.toHaveProperty('reasoning');
    expect(leftOut).toEqual([]);
  });

  it('encodeMessages writes reasoning as text for vendors with a text field, even if it has details', () => {
    const { messages } = encodeAnswer([signed, call()], targetOf({ reasoningField: 'reasoning_content' }));
    expect(messages).toMatchObject([{ reasoning_content: 'Let me see.' }]);
    expect(messages[0]).not.toHaveProperty('reasoning_details');
  });

  const signature = (protocol: Signature['protocol']): Signature => ({ protocol, value: 'c2ln', id: 'r1' });
  const hidden = { text: '', isRedacted: true };
  const encrypted = { type: 'reasoning.encrypted', data: 'c2ln', id: 'r1' };

  it.each<[maker: Signature['protocol'], part: Partial<ReasoningPart>, detail: object]>([
    ['anthropic-messages', {}, { type: 'reasoning.text', signature: 'c2ln', format: 'anthropic-claude-v1' }],
    ['anthropic-messages', hidden, { ...encrypted, format: 'anthropic-claude-v1' }],
    ['gemini', {}, { type: 'reasoning.text', signature: 'c2ln', format: 'google-gemini-v1' }],
    ['gemini', hidden, { ...encrypted, format: 'google-gemini-v1' }],
    ['openai-responses', hidden, { ...encrypted, format: 'openai-responses-v1' }],
  ])(
    'encodeMessages writes reasoning signed by %s with its signature for vendors that serve models of many makers: %j',
    (maker, part, detail) => {
      const parts = [thought({ ...part, signature: signature(maker) }), thought({ text: 'Well.' }), call()];
      const { messages, leftOut } = encodeAnswer(parts, targetOf(takesDetails));
      const plain = { type: 'reasoning.text', text: 'Well.', index: 1 };
      expect(messages).toMatchObject([{ reasoning_details: [{ ...detail, index: 0 }, plain] }]);
      expect(leftOut).toEqual([]);
    },
  );

  it('encodeMessages writes OpenAI reasoning as text, since its signature is a separate entry', () => {
    const foreign = thought({ signature: signature('openai-responses') });
    const { messages } = encodeAnswer([foreign, call()], targetOf(takesDetails));
    expect(messages).toMatchObject([{ reasoning: 'Let me see.' }]);
    expect(messages[0]).not.toHaveProperty('reasoning_details');
  });

  it('encodeMessages writes back the signature of a call, but not one of another protocol', () => {
    const own = call({
      signature: { protocol: 'openai-chat', value: '{"google":{"thought_signature":"c2ln"}}' },
    });
    const foreign = call({ id: 'call_2', signature: { protocol: 'anthropic-messages', value: 's' } });
    const [message] = encodeAnswer([own, foreign]).messages;
    expect(message).toMatchObject({ tool_calls: [{ extra_content: expect.anything() }, { id: 'call_2' }] });
    expect(JSON.stringify(message).match(/extra_content/g)).toHaveLength(1);
  });
});
