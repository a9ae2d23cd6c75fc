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
  // safe because the expectations fail for a body of another shape
  return frames.at(-1)?.response as { output: { id: string; type: string; [field: string]: unknown }[] };
};
const open = ['created', 'in_progress'];

describe('S2: events of a stream', () => {
  it('stream encoder writes all events of a text in order', () => {
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

  it('stream encoder writes all events of a call in order', () => {
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

  it('stream encoder writes all events of reasoning in order', () => {
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

  it('stream encoder writes the events of a refusal last', () => {
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

  it('stream encoder numbers events from 0 without gaps', () => {
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

  it("stream encoder writes the index and id of each event's item", () => {
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

  it('stream encoder repeats all completed items in the last event', () => {
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

  it('stream encoder starts with an empty response in progress', () => {
    const [first, second] = encodeFrames([start]);
    expect(first).toMatchObject({
      response: { id: 'resp_1', status: 'in_progress', output: [], usage: null },
    });
    expect(second).toMatchObject({ type: 'response.in_progress', response: first?.response });
  });
});

describe('stream encoder', () => {
  it('stream encoder creates an id if the provider sends none', () => {
    const frames = encodeFrames([...text(0, 'a'), finish(), end]);
    expect(finalOf(frames)).toMatchObject({ id: 'resp_r1', created_at: 7, model: 'asked' });
  });

  it('stream encoder starts once, even if the provider repeats the start', () => {
    const frames = encodeFrames([start, start, finish(), end, end, start]);
    expect(typesOf(frames)).toEqual([...open, 'completed']);
  });

  it('stream encoder includes usage that arrives after the finish', () => {
    const frames = encodeFrames([start, ...text(0, 'a'), finish(), usage, end]);
    expect(finalOf(frames)).toMatchObject({ usage: { total_tokens: 15 } });
  });

  it('stream encoder writes no usage if the provider reports none', () => {
    expect(finalOf(encodeFrames([start, finish(), end]))).toMatchObject({ usage: null });
  });

  it('stream encoder completes a stream that has an end but no finish', () => {
    const frames = encodeFrames([start, ...text(0, 'a'), end]);
    expect(typesOf(frames).slice(-2)).toEqual(['output_item.done', 'completed']);
  });

  it('stream encoder does not complete a stream without an end', () => {
    const frames = encodeFrames([start, ...text(0, 'a'), finish()]);
    expect(typesOf(frames).at(-1)).toBe('output_item.done');
  });

  it('stream encoder writes the first choice only', () => {
    const second: StreamEvent[] = [
      { type: 'text-start', choice: 1, block: 0 },
      { type: 'text-delta', choice: 1, block: 0, text: 'other' },
      { type: 'finish', choice: 1, finish: { reason: 'length', native: null } },
    ];
    const frames = encodeFrames([start, ...text(0, 'a'), ...second, finish(), end]);
    expect(JSON.stringify(frames)).not.toContain('other');
    expect(finalOf(frames)).toMatchObject({ status: 'completed' });
  });

  it('stream encoder writes no events for empty texts and reasoning', () => {
    const empty = [...text(0, ''), ...thought(1, ''), ...text(2)];
    expect(typesOf(encodeFrames([start, ...empty, finish(), end]))).toEqual([...open, 'completed']);
  });
});

describe('stream encoder: finish reasons', () => {
  it.each([
    ['stop', 'completed', null, 'completed'],
    ['tool-calls', 'completed', null, 'completed'],
    ['length', 'incomplete', { reason: 'max_output_tokens' }, 'incomplete'],
    ['content-filter', 'incomplete', { reason: 'content_filter' }, 'incomplete'],
  ] as const)(
    'stream encoder maps the finish reason %s to the status %s',
    (reason, status, details, messageStatus) => {
      const frames = encodeFrames([start, ...text(0, 'a'), finish(reason), end]);
      expect(frames.at(-1)?.type).toBe(`response.${status}`);
      expect(finalOf(frames)).toMatchObject({
        status,
        incomplete_details: details,
        output: [{ status: messageStatus }],
      });
    },
  );

  it('stream encoder writes a failure without completing the response', () => {
    const frames = encodeFrames([start, ...text(0, 'a'), finish('error'), end]);
    expect(frames.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error' }, output: [{ type: 'message' }] },
    });
  });
});

describe('stream encoder: calls', () => {
  it('stream encoder writes an empty object as the arguments of calls without arguments', () => {
    const frames = encodeFrames([start, ...call(0, 'f'), finish('tool-calls'), end]);
    expect(frames.at(-2)).toMatchObject({ item: { arguments: '{}' } });
    expect(
      frames.flatMap(({ type, delta }) => (type === 'response.function_call_arguments.delta' ? [delta] : [])),
    ).toEqual(['{}']);
  });

  it('stream encoder keeps a call open at an empty delta', () => {
    const frames = encodeFrames([start, ...call(0, 'f', '', '{"a":', '', '1}'), finish('tool-calls'), end]);
    expect(frames.at(-2)).toMatchObject({ item: { arguments: '{"a":1}' } });
  });

  describe('stream encoder: calls of free-text tools', () => {
    const callWithText = (...pieces: string[]) =>
      call(0, 'patch', ...pieces).map((event) =>
        event.type === 'tool-input-start' ? { ...event, isFreeform: true } : event,
      );

    it('stream encoder unwraps the text of free-text calls', () => {
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
    ])('stream encoder reads the free text of %j as %j', (json, expected) => {
      const frames = encodeFrames([start, ...callWithText(json), finish('tool-calls'), end]);
      expect(frames.at(-2)).toMatchObject({ item: { type: 'custom_tool_call', input: expected } });
    });

    it('stream encoder leaves function calls unchanged', () => {
      const frames = encodeFrames([start, ...call(0, 'read', '{"input":"a"}'), finish('tool-calls'), end]);
      expect(frames.at(-2)).toMatchObject({ item: { type: 'function_call', arguments: '{"input":"a"}' } });
    });
  });
});

describe('M7: stream encoder: signatures', () => {
  const own: Signature = { protocol: 'openai-responses', value: 'gAAA', id: 'rs_9' };
  const foreign: Signature = { protocol: 'anthropic-messages', value: 'Erc=' };

  it("stream encoder writes OpenAI's signatures as encrypted content", () => {
    const frames = encodeFrames([start, ...thought(0, 'I think', own), finish(), end]);
    expect(finalOf(frames).output).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'I think' }], encrypted_content: 'gAAA' },
    ]);
  });

  it('stream encoder writes other signatures in the same field with the name of their maker', () => {
    const frames = encodeFrames([start, ...thought(0, '', foreign, true), finish(), end]);
    expect(finalOf(frames).output).toMatchObject([
      { type: 'reasoning', summary: [], encrypted_content: 'anthropic-messages:redacted::Erc=' },
    ]);
  });

  it('stream encoder writes the signature of a call after the call', () => {
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

describe('E7: stream encoder: errors', () => {
  const error: StreamEvent = { type: 'error', code: 'rate_limited', message: 'Come back later.' };

  it('stream encoder writes an error in both formats that clients read, with the response so far', () => {
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
  ] as const)('stream encoder maps the error %s to %s, which clients can handle', (code, expected) => {
    const [, failed] = encodeFrames([{ type: 'error', code, message: 'no' }]);
    expect(failed).toMatchObject({ response: { error: { code: expected } } });
  });

  it('stream encoder writes only the error and the failed response if an error precedes the start', () => {
    expect(typesOf(encodeFrames([error]))).toEqual(['error', 'failed']);
  });

  it('stream encoder writes nothing after an error', () => {
    expect(encodeFrames([start, error, ...text(0, 'more'), finish(), end])).toHaveLength(4);
  });
});
