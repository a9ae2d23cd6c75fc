import { describe, expect, it } from 'vitest';
import { readChatCases } from '#test/requests/chat-cases.ts';
import type { Choice } from '../canonical/response.ts';
import { dropSignedField } from '../translation/reasoning-field.ts';
import { decodeAnswer, decodePlainAnswer, decodeResponse, encodeResponse } from './response.ts';
import { parseAnswer } from './wire.ts';

const context = { requestId: 'r1', model: 'asked', nowSeconds: 7, wantsUsage: true };
const decode = (body: unknown) => decodeResponse(Buffer.from(JSON.stringify(body)));
const message = (fields: object, finish_reason: string | null = 'stop') => ({
  id: 'a',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', ...fields }, finish_reason }],
});

describe('decodeResponse rejects other bodies', () => {
  it.each([
    ['an HTML page', '<html><body>Bad gateway</body></html>'],
    ['an empty body', ''],
    ['a truncated response', '{"id":"a","choices":[{"index":0'],
    ['a text', '"hello"'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['choices that are not a list', '{"choices":{"0":{"message":{}}}}'],
    ['a choice without a message', '{"choices":[{"index":0,"delta":{"content":"a"}}]}'],
    ['a choice that is null', '{"choices":[null]}'],
    ['a message that is a string', '{"choices":[{"message":"hello"}]}'],
  ])('decodeResponse returns null for %s', (_, body) => {
    expect(decodeResponse(Buffer.from(body))).toBeNull();
  });
});

describe('decodePlainAnswer', () => {
  const recorded = readChatCases().flatMap(({ response }) => {
    const answer = parseAnswer(JSON.stringify(response.body ?? null));
    return answer && Array.isArray(answer.choices) ? [answer] : [];
  });

  it('decodePlainAnswer agrees with decodeAnswer for recorded responses', () => {
    const plain = recorded.filter((answer) => decodePlainAnswer(answer) !== null);
    expect(plain.length).toBeGreaterThan(3);
    for (const answer of plain) expect(decodePlainAnswer(answer)).toEqual(decodeAnswer(answer));
  });

  it.each([
    ['a call', { tool_calls: [{ id: 'c', function: { name: 'f' } }] }],
    ['reasoning', { reasoning_content: 'hm' }],
    ['a refusal', { refusal: 'no' }],
    ['no text', { content: '' }],
    ['a list of parts', { content: [{ type: 'text', text: 'a' }] }],
  ])('decodePlainAnswer returns null for a response with %s', (_, fields) => {
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    const choices = [{ message: { content: 'a', ...fields } }];
    expect(decodePlainAnswer({ choices, usage })).toBeNull();
  });
});

describe('decodeResponse', () => {
  it('decodeResponse accepts a response with choices only', () => {
    expect(decode({ choices: [{ message: { content: 'a' } }] })).toEqual({
      id: null,
      model: null,
      createdAtSeconds: null,
      choices: [{ parts: [{ type: 'text', text: 'a' }], finish: { reason: 'stop', native: null } }],
      usage: null,
    });
  });

  it('decodeResponse orders several choices by index', () => {
    const choices = ['second', 'first'].map((content, place) => ({ index: 1 - place, message: { content } }));
    expect(decode({ choices })?.choices.map(({ parts }) => parts)).toEqual([
      [{ type: 'text', text: 'first' }],
      [{ type: 'text', text: 'second' }],
    ]);
  });

  it.each<[name: string, fields: object, parts: object[]]>([
    ['no content', { content: null }, []],
    ['an empty text', { content: '' }, []],
    ['a refusal', { content: null, refusal: 'no' }, [{ type: 'refusal', text: 'no' }]],
    [
      'reasoning, a text and calls',
      {
        reasoning_content: 'Hm',
        content: 'Let me see',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
      },
      [
        { type: 'reasoning', text: 'Hm', isRedacted: false },
        { type: 'text', text: 'Let me see' },
        { type: 'tool-call', id: 'c1', name: 'f', arguments: '{"a":1}' },
      ],
    ],
    [
      'a call whose arguments are written as null',
      { tool_calls: [{ id: 'c1', function: { name: 'f', arguments: 'null' } }] },
      [{ type: 'tool-call', id: 'c1', name: 'f', arguments: '{}' }],
    ],
    [
      'a call whose arguments are not JSON, which the caller receives unchanged',
      { tool_calls: [{ id: 'c1', function: { name: 'f', arguments: '{"a":' } }] },
      [{ type: 'tool-call', id: 'c1', name: 'f', arguments: '{"a":' }],
    ],
    [
      'two calls of one function without ids',
      {
        tool_calls: [
          { function: { name: 'f', arguments: '{}' } },
          { function: { name: 'f', arguments: '{}' } },
        ],
      },
      [
        { type: 'tool-call', id: expect.stringMatching(/^call_/), name: 'f', arguments: '{}' },
        { type: 'tool-call', id: expect.stringMatching(/^call_/), name: 'f', arguments: '{}' },
      ],
    ],
    [
      'annotations, which are dropped',
      { content: 'a', annotations: [{ type: 'url_citation' }] },
      [{ type: 'text', text: 'a' }],
    ],
  ])('decodeResponse reads %s', (_, fields, parts) => {
    expect(decode(message(fields))?.choices[0]?.parts.map(dropSignedField)).toEqual(parts);
  });

  it('decodeResponse returns no usage if a count is negative', () => {
    expect(
      decode({ ...message({ content: 'a' }), usage: { prompt_tokens: -1, completion_tokens: 1 } })?.usage,
    ).toBeNull();
  });
});

describe('encodeResponse', () => {
  const encode = (parts: Choice['parts'], rest: object = {}) =>
    encodeResponse(
      {
        id: null,
        model: null,
        createdAtSeconds: null,
        usage: null,
        choices: [{ parts, finish: { reason: 'stop', native: 'end_turn' } }],
        ...rest,
      },
      context,
    );
  const messageOf = (parts: Choice['parts']) =>
    // safe because the test checks this shape
    (encode(parts) as { choices: { message: Record<string, unknown> }[] }).choices[0]?.message;

  it('encodeResponse writes all fields that clients expect, even if the provider omits them', () => {
    expect(encode([{ type: 'text', text: 'hello' }])).toEqual({
      id: 'chatcmpl-r1',
      object: 'chat.completion',
      created: 7,
      model: 'asked',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'hello', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
    });
  });

  it('encodeResponse writes usage with cached and reasoning tokens', () => {
    const usage = {
      inputTokens: 3,
      cacheReadTokens: 2,
      cacheWriteTokens: 1,
      outputTokens: 9,
      reasoningTokens: 4,
    };
    expect(encode([], { usage })).toMatchObject({
      usage: {
        prompt_tokens: 6,
        completion_tokens: 9,
        total_tokens: 15,
        prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 1 },
        completion_tokens_details: { reasoning_tokens: 4 },
      },
    });
  });

  it('encodeResponse joins texts and keeps reasoning separate', () => {
    const parts: Choice['parts'] = [
      { type: 'reasoning', text: 'Hm', isRedacted: false },
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
    ];
    expect(messageOf(parts)).toMatchObject({ content: 'Hello', reasoning_content: 'Hm' });
    expect(messageOf(parts)).not.toHaveProperty('reasoning_details');
  });

  it('encodeResponse writes null content for calls or a refusal, and an empty text for an empty response', () => {
    const call = { type: 'tool-call', id: 'c1', name: 'f', arguments: '{}' } as const;
    expect(messageOf([call])).toEqual({
      role: 'assistant',
      content: null,
      refusal: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    });
    expect(messageOf([{ type: 'refusal', text: 'no' }])).toMatchObject({ content: null, refusal: 'no' });
    expect(messageOf([])).toMatchObject({ content: '' });
  });
});
