import { describe, expect, it } from 'vitest';
import type { AssistantPart } from '../canonical/content.ts';
import type { CanonicalResponse, Finish } from '../canonical/response.ts';
import { openaiResponses } from './index.ts';
import { answerContext, decodeAnswer } from './testing/exchange.ts';
import { call, message, response, thought } from './testing/wire-events.ts';

const { caller, provider } = openaiResponses;
const stop: Finish = { reason: 'stop', native: null };
const answer = (
  parts: readonly AssistantPart[],
  fields: Partial<CanonicalResponse> = {},
): CanonicalResponse => ({
  id: 'resp_1',
  model: 'gpt-9',
  createdAtSeconds: 5,
  choices: [{ parts, finish: stop }],
  usage: null,
  ...fields,
});
// safe because the expectations fail for a body of another shape
const encode = (whole: CanonicalResponse, context = answerContext) =>
  JSON.parse(JSON.stringify(caller.encodeResponse(whole, context))) as {
    output: { id: string; type: string; status?: string; content?: object[] }[];
    [field: string]: unknown;
  };
const text = (words: string): AssistantPart => ({ type: 'text', text: words });

describe('decodeResponse', () => {
  it('decodeResponse reads all items in their order', () => {
    const body = response({
      status: 'completed',
      created_at: 1_790_000_000.7,
      output: [
        thought('rs_1', { encrypted_content: 'gAAA' }),
        { id: 'ws_1', type: 'web_search_call', status: 'completed' },
        message('msg_1', 'It ', 'is.'),
        call('fc_1', '{"a":1}'),
      ],
      usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    });
    expect(decodeAnswer(body)).toEqual({
      id: 'resp_1',
      model: 'gpt-9',
      createdAtSeconds: 1_790_000_000,
      choices: [
        {
          parts: [
            {
              type: 'reasoning',
              text: '',
              isRedacted: true,
              signature: { protocol: 'openai-responses', value: 'gAAA', id: 'rs_1' },
            },
            text('It '),
            text('is.'),
            { type: 'tool-call', id: 'call_fc_1', name: 'read', arguments: '{"a":1}' },
          ],
          finish: { reason: 'tool-calls', native: 'completed' },
        },
      ],
      usage: {
        inputTokens: 10,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 5,
        reasoningTokens: 0,
      },
    });
  });

  it('decodeResponse accepts a response without items', () => {
    expect(decodeAnswer(response({ status: 'completed' })).choices).toEqual([
      { parts: [], finish: { reason: 'stop', native: 'completed' } },
    ]);
  });

  it('decodeResponse reads a call of a custom tool', () => {
    const output = [{ type: 'custom_tool_call', call_id: 'c1', name: 'patch', input: 'a "b"' }];
    expect(decodeAnswer(response({ output })).choices[0]?.parts).toEqual([
      { type: 'tool-call', id: 'c1', name: 'patch', arguments: '{"input":"a \\"b\\""}' },
    ]);
  });

  it.each(['', 'null', '  '])('T5: decodeResponse reads arguments of %j as empty', (json) => {
    expect(decodeAnswer(response({ output: [call('fc_1', json)] })).choices[0]?.parts).toMatchObject([
      { arguments: '{}' },
    ]);
  });

  it('decodeResponse reads a refusal', () => {
    const output = [{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }];
    expect(decodeAnswer(response({ output })).choices[0]?.parts).toEqual([{ type: 'refusal', text: 'No.' }]);
  });

  it.each(['<html>Bad gateway</html>', '', 'null', '[]', '{}', '{"output":"text"}', '{"choices":[]}'])(
    'decodeResponse returns null for %s',
    (body) => {
      expect(provider.decodeResponse(Buffer.from(body))).toBeNull();
    },
  );

  it.each([
    [null],
    ['item'],
    [7],
    [[]],
    [{ type: 'message', content: 'text' }],
    [{ type: 'message', content: [null] }],
  ])('decodeResponse ignores an invalid item (%j)', (item) => {
    const output = [item, message('msg_1', 'Hi')];
    expect(decodeAnswer(response({ output })).choices[0]?.parts).toEqual([text('Hi')]);
  });

  it('decodeResponse accepts two items with the same id', () => {
    const output = [message('', 'a'), message('', 'b'), message('x', 'c'), message('x', 'd')];
    expect(decodeAnswer(response({ output })).choices[0]?.parts).toEqual(['a', 'b', 'c', 'd'].map(text));
  });
});

describe('encodeResponse', () => {
  it('encodeResponse writes every field that clients expect', () => {
    expect(encode(answer([text('Hi')]))).toEqual({
      id: 'resp_1',
      object: 'response',
      created_at: 5,
      status: 'completed',
      background: false,
      error: null,
      incomplete_details: null,
      instructions: null,
      max_output_tokens: null,
      model: 'gpt-9',
      output: [
        {
          id: 'msg_r1_0',
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', annotations: [], logprobs: [], text: 'Hi' }],
        },
      ],
      parallel_tool_calls: true,
      previous_response_id: null,
      reasoning: { effort: null, summary: null },
      store: false,
      temperature: null,
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      top_p: null,
      truncation: 'disabled',
      usage: null,
      user: null,
      metadata: {},
    });
  });

  it('encodeResponse repeats fields of the request', () => {
    const repeatedFields = { temperature: 0.5, instructions: 'Be brief.', metadata: { a: 'b' } };
    expect(encode(answer([]), { ...answerContext, repeatedFields })).toMatchObject(repeatedFields);
  });

  it('encodeResponse does not let repeated fields override the response', () => {
    const repeatedFields = { store: true, previous_response_id: 'resp_0' };
    expect(encode(answer([]), { ...answerContext, repeatedFields })).toMatchObject({
      store: false,
      previous_response_id: null,
    });
  });

  it('encodeResponse creates an id if the provider sends none', () => {
    const unknown = answer([], { id: null, model: null, createdAtSeconds: null });
    expect(encode(unknown)).toMatchObject({ id: 'resp_r1', model: 'asked', created_at: 7 });
  });

  it('encodeResponse writes no items without a choice, and the first of several choices', () => {
    expect(encode(answer([], { choices: [] })).output).toEqual([]);
    const choices = [
      { parts: [text('first')], finish: stop },
      { parts: [text('second')], finish: stop },
    ];
    expect(JSON.stringify(encode(answer([], { choices })))).not.toContain('second');
  });

  it('R2: encodeResponse writes items in their order and leaves out empty ones', () => {
    const { output } = encode(
      answer([
        { type: 'reasoning', text: 'I think', isRedacted: false },
        { type: 'reasoning', text: '', isRedacted: false },
        text('a'),
        text(''),
        text('b'),
        { type: 'tool-call', id: 'c1', name: 'f', arguments: '{}' },
        text('c'),
      ]),
    );
    expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call', 'message']);
    expect(output[1]?.content).toHaveLength(2);
    expect(output.map(({ id }) => id)).toEqual(['rs_r1_0', 'msg_r1_1', 'fc_r1_2', 'msg_r1_3']);
  });

  it('encodeResponse writes a refusal last, after the text', () => {
    const { output } = encode(answer([{ type: 'refusal', text: 'No.' }, text('Well.')]));
    expect(output).toMatchObject([
      {
        content: [
          { type: 'output_text', text: 'Well.' },
          { type: 'refusal', refusal: 'No.' },
        ],
      },
    ]);
  });

  it('encodeResponse writes calls of custom tools as custom tool calls', () => {
    const parts: AssistantPart[] = [
      { type: 'tool-call', id: 'c1', name: 'patch', isFreeform: true, arguments: '{"input":"a"}' },
      { type: 'tool-call', id: 'c2', name: 'read', arguments: '{"input":"a"}' },
    ];
    expect(encode(answer(parts)).output).toMatchObject([
      { id: 'ctc_r1_0', type: 'custom_tool_call', call_id: 'c1', input: 'a' },
      { id: 'fc_r1_1', type: 'function_call', call_id: 'c2', arguments: '{"input":"a"}' },
    ]);
  });
});
