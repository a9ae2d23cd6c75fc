import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { createStreamEncoder } from './stream-encoder.ts';

const context = { requestId: 'r1', model: 'asked', nowSeconds: 7, wantsUsage: false };
const start: StreamEvent = { type: 'start', id: 'a', model: 'm', createdAtSeconds: 1 };
const end: StreamEvent = { type: 'end' };
const finish = (choice = 0): StreamEvent => ({
  type: 'finish',
  choice,
  finish: { reason: 'stop', native: 'end_turn' },
});
const say = (text: string, choice = 0): StreamEvent => ({ type: 'text-delta', choice, block: 0, text });
const usage: StreamEvent = {
  type: 'usage',
  usage: { inputTokens: 3, cacheReadTokens: 1, cacheWriteTokens: 0, outputTokens: 2, reasoningTokens: 0 },
};

const encode = (events: StreamEvent[], wantsUsage = false) => {
  const encoder = createStreamEncoder({ ...context, wantsUsage });
  return events.map((event) => encoder.encode(event)).join('');
};

interface Chunk {
  id: string;
  choices: { index: number; delta: Record<string, unknown>; finish_reason: string | null }[];
  usage?: object | null;
}
const chunksOf = (text: string): Chunk[] =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {'))
    .map((event) => JSON.parse(event.slice(6)));
const deltasOf = (events: StreamEvent[]) =>
  chunksOf(encode(events)).flatMap(({ choices }) => choices.map(({ delta }) => delta));

describe('stream encoder', () => {
  const text = encode([
    start,
    { type: 'text-start', choice: 0, block: 0 },
    say('He'),
    say('llo'),
    finish(),
    end,
  ]);

  it('stream encoder writes data-only events, each ended by an empty line', () => {
    expect(text).toMatch(/^(data: [^\n]+\n\n)+$/);
  });

  it('stream encoder writes role, text, finish reason and end marker in this order', () => {
    expect(chunksOf(text).map(({ choices }) => choices)).toEqual([
      [{ index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }],
      [{ index: 0, delta: { content: 'He' }, logprobs: null, finish_reason: null }],
      [{ index: 0, delta: { content: 'llo' }, logprobs: null, finish_reason: null }],
      [{ index: 0, delta: {}, logprobs: null, finish_reason: 'stop' }],
    ]);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('stream encoder writes the same id in all chunks', () => {
    for (const chunk of chunksOf(text))
      expect(chunk).toMatchObject({ id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm' });
  });

  it('stream encoder derives the id from the request if the provider sends none', () => {
    const [chunk] = chunksOf(encode([{ type: 'start', id: null, model: null, createdAtSeconds: null }]));
    expect(chunk).toMatchObject({ id: 'chatcmpl-r1', created: 7, model: 'asked' });
  });

  it('stream encoder writes each piece immediately', () => {
    const encoder = createStreamEncoder(context);
    encoder.encode(start);
    expect(encoder.encode(say('a'))).toContain('"content":"a"');
  });

  it('stream encoder keeps non-ASCII characters and never breaks a line', () => {
    const [, chunk] = chunksOf(encode([start, say('é😀\n\n\u2028')]));
    expect(chunk?.choices[0]?.delta).toEqual({ content: 'é😀\n\n\u2028' });
  });
});

describe('stream encoder: several choices', () => {
  it('stream encoder starts each choice with the role and ends it with a finish reason', () => {
    const chunks = chunksOf(encode([start, say('a'), say('x', 1), finish(1), finish(), end]));
    const told = chunks.flatMap(({ choices }) =>
      choices.map(({ index, delta, finish_reason }) => [index, delta.role ?? delta.content ?? finish_reason]),
    );
    expect(told).toEqual([
      [0, 'assistant'],
      [0, 'a'],
      [1, 'assistant'],
      [1, 'x'],
      [1, 'stop'],
      [0, 'stop'],
    ]);
  });
});

describe('stream encoder: usage', () => {
  it('stream encoder writes requested usage last in its own chunk, and null before', () => {
    const chunks = chunksOf(encode([start, usage, say('a'), finish(), end], true));
    expect(chunks.slice(0, -1).map((chunk) => chunk.usage)).toEqual([null, null, null]);
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 4,
        completion_tokens: 2,
        total_tokens: 6,
        prompt_tokens_details: { cached_tokens: 1 },
      },
    });
  });

  it('stream encoder leaves out usage that was not requested', () => {
    expect(encode([start, usage, say('a'), finish(), end])).not.toContain('usage');
  });

  it('stream encoder writes no usage chunk if the provider reported no usage', () => {
    expect(chunksOf(encode([start, finish(), end], true)).at(-1)?.choices).toHaveLength(1);
  });

  it('stream encoder writes the last usage', () => {
    const later: StreamEvent = { type: 'usage', usage: { ...usage.usage, outputTokens: 9 } };
    expect(chunksOf(encode([start, usage, later, end], true)).at(-1)?.usage).toMatchObject({
      completion_tokens: 9,
    });
  });
});

describe('stream encoder: tool calls', () => {
  const begin = (block: number, id: string): StreamEvent => ({
    type: 'tool-input-start',
    choice: 0,
    block,
    id,
    name: 'f',
  });
  const fragment = (block: number, json: string): StreamEvent => ({
    type: 'tool-input-delta',
    choice: 0,
    block,
    json,
  });
  const close = (block: number): StreamEvent => ({ type: 'tool-input-end', choice: 0, block });

  it('stream encoder writes id and name once, then the fragments, with the index of the call', () => {
    const events = [
      start,
      say('a'),
      begin(1, 'c1'),
      fragment(1, '{"a":'),
      fragment(1, '1}'),
      close(1),
      begin(2, 'c2'),
    ];
    expect(deltasOf(events).flatMap(({ tool_calls }) => tool_calls ?? [])).toEqual([
      { index: 0, id: 'c1', type: 'function', function: { name: 'f', arguments: '' } },
      { index: 0, function: { arguments: '{"a":' } },
      { index: 0, function: { arguments: '1}' } },
      { index: 1, id: 'c2', type: 'function', function: { name: 'f', arguments: '' } },
    ]);
  });

  it('stream encoder writes an empty object as the arguments of a call without arguments', () => {
    expect(deltasOf([start, begin(0, 'c1'), close(0)]).at(-1)).toEqual({
      tool_calls: [{ index: 0, function: { arguments: '{}' } }],
    });
  });

  it.each([[[]], [['{}']], [['{"a":', '1}']]])(
    'stream encoder writes a function in every delta of a signed call with the arguments %j',
    (pieces) => {
      const signature = { protocol: 'gemini', value: 'c2ln' } as const;
      const json = pieces.map((piece) => fragment(0, piece));
      const events = [start, begin(0, 'c1'), ...json, { ...close(0), signature }];
      const deltas = deltasOf(events);
      const calls = deltas.flatMap(({ tool_calls = [] }: { tool_calls?: object[] }) => tool_calls);
      expect(calls.filter((call) => !('function' in call))).toEqual([]);
    },
  );

  it("stream encoder writes Google's call signatures in Google's field", () => {
    const signature = { protocol: 'gemini', value: 'c2ln' } as const;
    const events = [start, begin(0, 'c1'), fragment(0, '{}'), { ...close(0), signature }];
    expect(deltasOf(events).at(-1)).toEqual({
      tool_calls: [
        {
          index: 0,
          function: { arguments: '' },
          extra_content: { google: { thought_signature: 'c2ln' } },
        },
      ],
    });
  });
});

describe('stream encoder: reasoning', () => {
  const think = (text: string): StreamEvent => ({ type: 'reasoning-delta', choice: 0, block: 0, text });
  const begin = (isRedacted = false): StreamEvent => ({
    type: 'reasoning-start',
    choice: 0,
    block: 0,
    isRedacted,
  });
  const close = (protocol?: 'anthropic-messages'): StreamEvent => ({
    type: 'reasoning-end',
    choice: 0,
    block: 0,
    ...(protocol && { signature: { protocol, value: 'c2ln' } }),
  });

  it('stream encoder writes reasoning as it arrives, separate from text', () => {
    const deltas = deltasOf([start, begin(), think('I '), think('think'), close(), say('Yes')]);
    expect(deltas.slice(1)).toEqual([
      { reasoning_content: 'I ' },
      { reasoning_content: 'think' },
      { content: 'Yes' },
    ]);
  });

  it('stream encoder repeats signed reasoning in full, for clients that send it back', () => {
    const deltas = deltasOf([start, begin(), think('I '), think('think'), close('anthropic-messages')]);
    expect(deltas.at(-1)).toEqual({
      reasoning_details: [
        {
          type: 'reasoning.text',
          text: 'I think',
          signature: 'c2ln',
          format: 'anthropic-claude-v1',
          index: 0,
        },
      ],
    });
  });

  it('stream encoder writes hidden reasoning as a signature only', () => {
    const deltas = deltasOf([start, begin(true), close('anthropic-messages')]);
    expect(deltas.slice(1)).toEqual([
      {
        reasoning_details: [
          { type: 'reasoning.encrypted', data: 'c2ln', format: 'anthropic-claude-v1', index: 0 },
        ],
      },
    ]);
  });

  it('stream encoder leaves out hidden reasoning without a signature', () => {
    expect(deltasOf([start, begin(true), close()])).toHaveLength(1);
  });
});

it('stream encoder writes a refusal as a refusal delta', () => {
  expect(deltasOf([start, { type: 'refusal-delta', choice: 0, text: 'no' }]).at(-1)).toEqual({
    refusal: 'no',
  });
});

it('stream encoder writes an error without an end marker', () => {
  const text = encode([start, { type: 'error', code: 'rate_limited', message: 'slow' }]);
  expect(text).toContain(
    'data: {"error":{"message":"slow","type":"rate_limit_error","param":null,"code":"rate_limited"}}\n\n',
  );
  expect(text).not.toContain('[DONE]');
});
