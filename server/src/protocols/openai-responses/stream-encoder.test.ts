import { describe, expect, it } from 'vitest';
import type { Signature } from '../canonical/content.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { encodeFrames, type Frame } from './testing/exchange.ts';

const start: StreamEvent = { type: 'start', id: 'resp_1', model: 'gpt-9', createdAtSeconds: 5 };
const at = (block: number) => ({ choice: 0, block });
const text = (block: number, ...pieces: string[]): StreamEvent[] => [
  { type: 'text-start', ...at(block) },
  ...pieces.map((piece): StreamEvent => ({ type: 'text-delta', ...at(block), text: piece })),
  { type: 'text-end', ...at(block) },
];
const thought = (block: number, words: string, signature?: Signature, isRedacted = false): StreamEvent[] => [
  { type: 'reasoning-start', ...at(block), isRedacted },
  { type: 'reasoning-delta', ...at(block), text: words },
  { type: 'reasoning-end', ...at(block), ...(signature && { signature }) },
];
const call = (block: number, name: string, ...pieces: string[]): StreamEvent[] => [
  { type: 'tool-input-start', ...at(block), id: `call_${block}`, name },
  ...pieces.map((json): StreamEvent => ({ type: 'tool-input-delta', ...at(block), json })),
  { type: 'tool-input-end', ...at(block) },
];
const usage: StreamEvent = {
  type: 'usage',
  usage: { inputTokens: 8, cacheReadTokens: 2, cacheWriteTokens: 0, outputTokens: 5, reasoningTokens: 3 },
};
const finish = (
  reason: 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error' = 'stop',
): StreamEvent => ({
  type: 'finish',
  choice: 0,
  finish: { reason, native: null },
});
const end: StreamEvent = { type: 'end' };

const typesOf = (frames: readonly Frame[]) => frames.map(({ type }) => type.replace(/^response\./, ''));
const finalOf = (frames: readonly Frame[]) => {
  // safe because a test that gets anything else fails on what it expects of it
  return frames.at(-1)?.response as { output: { id: string; type: string; [field: string]: unknown }[] };
};
const open = ['created', 'in_progress'];

describe('S2: the events of a stream', () => {
  it('of a text are all there, in their order', () => {
    const frames = encodeFrames([start, ...text(0, 'It ', 'is'), usage, finish(), end]);
    expect(typesOf(frames)).toEqual([
      ...open,
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    expect(frames.find(({ type }) => type === 'response.output_text.done')).toMatchObject({ text: 'It is' });
  });

  it('of a call are all there, in their order', () => {
    const frames = encodeFrames([start, ...call(0, 'read', '{"a"', ':1}'), finish('tool-calls'), end]);
    expect(typesOf(frames)).toEqual([
      ...open,
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ]);
    expect(frames[2]).toMatchObject({
      output_index: 0,
      item: { type: 'function_call', status: 'in_progress', call_id: 'call_0', name: 'read', arguments: '' },
    });
    expect(frames.at(-3)).toMatchObject({ arguments: '{"a":1}' });
    expect(frames.at(-2)).toMatchObject({ item: { status: 'completed', arguments: '{"a":1}' } });
  });

  it('of reasoning are all there, in their order', () => {
    const frames = encodeFrames([start, ...thought(0, 'I think'), ...text(1, 'Yes'), finish(), end]);
    expect(typesOf(frames).slice(2, 8)).toEqual([
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
    ]);
    expect(finalOf(frames).output.map(({ type }) => type)).toEqual(['reasoning', 'message']);
  });

  it('of a refusal come last', () => {
    const refusal: StreamEvent = { type: 'refusal-delta', choice: 0, text: 'No.' };
    const frames = encodeFrames([
      start,
      ...text(0, 'Well'),
      refusal,
      ...call(1, 'read', '{}'),
      finish(),
      end,
    ]);
    expect(typesOf(frames).slice(-7)).toEqual([
      'output_item.added',
      'content_part.added',
      'refusal.delta',
      'refusal.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    expect(finalOf(frames).output.at(-1)).toMatchObject({ content: [{ type: 'refusal', refusal: 'No.' }] });
  });

  it('are numbered from 0 without a gap', () => {
    const frames = encodeFrames([
      start,
      ...thought(0, 'Hm'),
      ...text(1, 'a', 'b'),
      ...call(2, 'f'),
      finish(),
      end,
    ]);
    expect(frames.map(({ sequence_number: number }) => number)).toEqual(frames.map((_, index) => index));
  });

  it('name the place and the item that they belong to', () => {
    const frames = encodeFrames([
      start,
      ...thought(0, 'Hm'),
      ...text(1, 'a'),
      ...text(2, 'b'),
      ...call(3, 'f', '{}'),
      finish('tool-calls'),
      end,
    ]);
    const { output } = finalOf(frames);
    for (const frame of frames.filter(({ item_id: id }) => id !== undefined))
      expect(output[Number(frame.output_index)]?.id).toBe(frame.item_id);
    const deltas = frames.filter(({ type }) => type === 'response.output_text.delta');
    expect(deltas.map(({ output_index: place, content_index: part }) => [place, part])).toEqual([
      [1, 0],
      [1, 1],
    ]);
    expect(output.map(({ id }) => id.split('_')[0])).toEqual(['rs', 'msg', 'fc']);
    expect(new Set(output.map(({ id }) => id)).size).toBe(3);
  });

  it('repeat the whole answer in the last, as its items were told when they were done', () => {
    const frames = encodeFrames([start, ...text(0, 'a'), ...call(1, 'f'), usage, finish('tool-calls'), end]);
    const items = frames.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item);
    expect(finalOf(frames)).toMatchObject({
      id: 'resp_1',
      object: 'response',
      created_at: 5,
      model: 'gpt-9',
      status: 'completed',
      error: null,
      incomplete_details: null,
      output: items,
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 2 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 3 },
        total_tokens: 15,
      },
    });
  });

  it('begin with an answer that is in progress and empty', () => {
    const [first, second] = encodeFrames([start]);
    expect(first).toMatchObject({
      response: { id: 'resp_1', status: 'in_progress', output: [], usage: null },
    });
    expect(second).toMatchObject({ type: 'response.in_progress', response: first?.response });
  });
});

describe('a stream', () => {
  it('makes up an identity where the provider gives none', () => {
    const frames = encodeFrames([...text(0, 'a'), finish(), end]);
    expect(finalOf(frames)).toMatchObject({ id: 'resp_r1', created_at: 7, model: 'asked' });
  });

  it('begins once, whatever the provider repeats', () => {
    const frames = encodeFrames([start, start, finish(), end, end, start]);
    expect(typesOf(frames)).toEqual([...open, 'completed']);
  });

  it('takes usage that comes after the finish', () => {
    const frames = encodeFrames([start, ...text(0, 'a'), finish(), usage, end]);
    expect(finalOf(frames)).toMatchObject({ usage: { total_tokens: 15 } });
  });

  it('tells no usage where the provider told none', () => {
    expect(finalOf(encodeFrames([start, finish(), end]))).toMatchObject({ usage: null });
  });

  it('that has no finish is complete when it has an end', () => {
    const frames = encodeFrames([start, ...text(0, 'a'), end]);
    expect(typesOf(frames).slice(-2)).toEqual(['output_item.done', 'completed']);
  });

  it('is never told to have ended when it has not', () => {
    const frames = encodeFrames([start, ...text(0, 'a'), finish()]);
    expect(typesOf(frames).at(-1)).toBe('output_item.done');
  });

  it('has one choice, the first', () => {
    const second: StreamEvent[] = [
      { type: 'text-start', choice: 1, block: 0 },
      { type: 'text-delta', choice: 1, block: 0, text: 'other' },
      { type: 'finish', choice: 1, finish: { reason: 'length', native: null } },
    ];
    const frames = encodeFrames([start, ...second, ...text(0, 'a'), finish(), end]);
    expect(JSON.stringify(frames)).not.toContain('other');
    expect(finalOf(frames)).toMatchObject({ status: 'completed' });
  });

  it('says nothing of texts and thoughts that are empty', () => {
    const empty = [...text(0, ''), ...thought(1, ''), ...text(2)];
    expect(typesOf(encodeFrames([start, ...empty, finish(), end]))).toEqual([...open, 'completed']);
  });
});

describe('how it ended', () => {
  it.each([
    ['stop', 'completed', null, 'completed'],
    ['tool-calls', 'completed', null, 'completed'],
    ['length', 'incomplete', { reason: 'max_output_tokens' }, 'incomplete'],
    ['content-filter', 'incomplete', { reason: 'content_filter' }, 'incomplete'],
  ] as const)('%s is %s', (reason, status, details, messageStatus) => {
    const frames = encodeFrames([start, ...text(0, 'a'), finish(reason), end]);
    expect(frames.at(-1)?.type).toBe(`response.${status}`);
    expect(finalOf(frames)).toMatchObject({
      status,
      incomplete_details: details,
      output: [{ status: messageStatus }],
    });
  });

  it('a failure is no answer', () => {
    const frames = encodeFrames([start, ...text(0, 'a'), finish('error'), end]);
    expect(frames.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error' }, output: [{ type: 'message' }] },
    });
  });
});

describe('calls', () => {
  it('without arguments end as an empty object', () => {
    const frames = encodeFrames([start, ...call(0, 'f'), finish('tool-calls'), end]);
    expect(frames.at(-2)).toMatchObject({ item: { arguments: '{}' } });
    expect(
      frames.flatMap(({ type, delta }) => (type === 'response.function_call_arguments.delta' ? [delta] : [])),
    ).toEqual(['{}']);
  });

  it('are not closed by an empty piece', () => {
    const frames = encodeFrames([start, ...call(0, 'f', '', '{"a":', '', '1}'), finish('tool-calls'), end]);
    expect(frames.at(-2)).toMatchObject({ item: { arguments: '{"a":1}' } });
  });

  describe('of tools that take a text', () => {
    const callWithText = (...pieces: string[]) =>
      call(0, 'patch', ...pieces).map((event) =>
        event.type === 'tool-input-start' ? { ...event, isFreeform: true } : event,
      );

    it('tell the text, and not what it was wrapped in', () => {
      const frames = encodeFrames([
        start,
        ...callWithText('{"inp', 'ut":"a \\"b\\"\\n"}'),
        finish('tool-calls'),
        end,
      ]);
      expect(typesOf(frames).slice(2)).toEqual([
        'output_item.added',
        'custom_tool_call_input.delta',
        'custom_tool_call_input.done',
        'output_item.done',
        'completed',
      ]);
      expect(frames.at(-2)).toMatchObject({
        item: { type: 'custom_tool_call', call_id: 'call_0', name: 'patch', input: 'a "b"\n' },
      });
    });

    it.each([
      ['', ''],
      ['{}', '{}'],
      ['{"input":7}', '{"input":7}'],
      ['{"text":"a"}', '{"text":"a"}'],
      ['plain text', 'plain text'],
      ['{"input":"a","more":1}', 'a'],
      ['{"input":""}', ''],
    ])('take %j as %j', (json, expected) => {
      const frames = encodeFrames([start, ...callWithText(json), finish('tool-calls'), end]);
      expect(frames.at(-2)).toMatchObject({ item: { type: 'custom_tool_call', input: expected } });
    });

    it('leave other calls as they are', () => {
      const frames = encodeFrames([start, ...call(0, 'read', '{"input":"a"}'), finish('tool-calls'), end]);
      expect(frames.at(-2)).toMatchObject({ item: { type: 'function_call', arguments: '{"input":"a"}' } });
    });
  });
});

describe('M7: proofs', () => {
  const own: Signature = { protocol: 'openai-responses', value: 'gAAA', id: 'rs_9' };
  const foreign: Signature = { protocol: 'anthropic-messages', value: 'Erc=' };

  it("of OpenAI's own are what it calls encrypted content", () => {
    const frames = encodeFrames([start, ...thought(0, 'I think', own), finish(), end]);
    expect(finalOf(frames).output).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'I think' }], encrypted_content: 'gAAA' },
    ]);
  });

  it('of others ride in the same field, with the name of their maker', () => {
    const frames = encodeFrames([start, ...thought(0, '', foreign, true), finish(), end]);
    expect(finalOf(frames).output).toMatchObject([
      { type: 'reasoning', summary: [], encrypted_content: 'anthropic-messages:redacted::Erc=' },
    ]);
  });

  it('of calls follow them', () => {
    const signed = call(0, 'f', '{}').map((event) =>
      event.type === 'tool-input-end'
        ? { ...event, signature: { protocol: 'gemini' as const, value: 'Cg==' } }
        : event,
    );
    const frames = encodeFrames([start, ...signed, finish('tool-calls'), end]);
    expect(finalOf(frames).output).toMatchObject([
      { type: 'function_call' },
      { type: 'reasoning', summary: [], encrypted_content: 'gemini:call::Cg==' },
    ]);
  });
});

describe('E7: an error', () => {
  const error: StreamEvent = { type: 'error', code: 'rate_limited', message: 'Come back later.' };

  it('is told in both forms that clients know, and with the whole answer so far', () => {
    const frames = encodeFrames([start, ...text(0, 'a'), ...call(1, 'f', '{}'), error]);
    const [told, failed] = frames.slice(-2);
    expect(told).toMatchObject({
      type: 'error',
      code: 'rate_limited',
      message: 'Come back later.',
      param: null,
      error: { type: 'rate_limit_error', code: 'rate_limited', message: 'Come back later.' },
    });
    expect(failed).toMatchObject({
      type: 'response.failed',
      response: {
        id: 'resp_1',
        status: 'failed',
        error: { code: 'rate_limit_exceeded', message: 'Come back later.' },
        output: [{ type: 'message' }, { type: 'function_call' }],
      },
    });
    expect(failed?.sequence_number).toBe(frames.length - 1);
  });

  it.each([
    ['rate_limited', 'rate_limit_exceeded'],
    ['upstream_overloaded', 'server_is_overloaded'],
    ['upstream_error', 'server_error'],
    ['upstream_timeout', 'server_error'],
  ] as const)('%s is %s to a client that acts on it', (code, expected) => {
    const [, failed] = encodeFrames([{ type: 'error', code, message: 'no' }]);
    expect(failed).toMatchObject({ response: { error: { code: expected } } });
  });

  it('before anything else is told alone', () => {
    expect(typesOf(encodeFrames([error]))).toEqual(['error', 'failed']);
  });

  it('is the last that is told', () => {
    expect(encodeFrames([start, error, ...text(0, 'more'), finish(), end])).toHaveLength(4);
  });
});
