import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { collectChoices } from '../translation/collect-choices.ts';
import { createStreamDecoder } from './stream-decoder.ts';
import { decodeLines } from './testing/exchange.ts';

const line = (message: object, rest: object = {}) => ({
  model: 'qwen3:8b',
  created_at: '2026-09-01T10:00:00.123456789Z',
  message: { role: 'assistant', content: '', ...message },
  done: false,
  ...rest,
});
const last = (rest: object = {}) => line({}, { done: true, done_reason: 'stop', ...rest });
const call = (name: string, input: object, id?: string) => ({
  ...(id !== undefined && { id }),
  function: { name, arguments: input },
});

const typesOf = (events: readonly StreamEvent[]) => events.map(({ type }) => type);
const partsOf = (...lines: object[]) => {
  const events = decodeLines(...lines, last());
  expectSound(events);
  return collectChoices(events)[0]?.parts;
};

it('S5: stream decoder emits start at the first line and end at the line with done', () => {
  expect(
    decodeLines(
      line({ content: 'It is' }),
      line({ content: ' late.' }),
      last({ prompt_eval_count: 5, eval_count: 2 }),
    ),
  ).toEqual([
    {
      type: 'start',
      id: null,
      model: 'qwen3:8b',
      createdAtSeconds: Date.UTC(2026, 8, 1, 10) / 1_000,
    },
    { type: 'text-start', choice: 0, block: 0 },
    { type: 'text-delta', choice: 0, block: 0, text: 'It is' },
    { type: 'text-delta', choice: 0, block: 0, text: ' late.' },
    { type: 'text-end', choice: 0, block: 0 },
    {
      type: 'usage',
      usage: {
        inputTokens: 5,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 2,
        reasoningTokens: 0,
      },
    },
    { type: 'finish', choice: 0, finish: { reason: 'stop', native: 'stop' } },
    { type: 'end' },
  ]);
});

it('S5: stream decoder decodes thinking separately from the content', () => {
  expect(
    partsOf(
      line({ thinking: 'Hm' }),
      line({ thinking: '.' }),
      line({ content: 'Yes' }),
      line({ content: '.' }),
    ),
  ).toEqual([
    { type: 'reasoning', text: 'Hm.', isRedacted: false },
    { type: 'text', text: 'Yes.' },
  ]);
});

it('stream decoder returns reasoning before text if one line has both', () => {
  expect(partsOf(line({ thinking: 'Hm.', content: 'Yes.' }))?.map(({ type }) => type)).toEqual([
    'reasoning',
    'text',
  ]);
});

it('stream decoder reads the content of the last line', () => {
  const events = decodeLines(line({ content: 'It' }), { ...last(), message: { content: ' is.' } });
  expect(collectChoices(events)[0]?.parts).toEqual([{ type: 'text', text: 'It is.' }]);
});

it('stream decoder emits no block for an empty response', () => {
  expect(typesOf(decodeLines(last()))).toEqual(['start', 'finish', 'end']);
});

describe('T11: tool calls', () => {
  it('stream decoder reads several complete tool calls from one line or from several', () => {
    expect(
      partsOf(
        line({ tool_calls: [call('now', { zone: 'UTC' }, 'c1'), call('read', { a: 1 }, 'c2')] }),
        line({ tool_calls: [call('read', { a: 2 }, 'c3')] }),
      ),
    ).toEqual([
      { type: 'tool-call', id: 'c1', name: 'now', arguments: '{"zone":"UTC"}' },
      { type: 'tool-call', id: 'c2', name: 'read', arguments: '{"a":1}' },
      { type: 'tool-call', id: 'c3', name: 'read', arguments: '{"a":2}' },
    ]);
  });

  it('stream decoder closes a tool call without arguments before the next one starts', () => {
    const decoder = createStreamDecoder();
    const decode = (value: object) =>
      typesOf(decoder.decode({ event: 'message', data: JSON.stringify(value) }));
    expect(decode(line({ tool_calls: [call('now', {}), call('now', {})] }))).toEqual([
      'start',
      'tool-input-start',
      'tool-input-end',
      'tool-input-start',
    ]);
    expect(decode(line({ content: 'So.' }))).toEqual(['tool-input-end', 'text-start', 'text-delta']);
  });

  it('T6: stream decoder generates unique, stable IDs for tool calls without IDs across all lines', () => {
    const ids = () =>
      partsOf(
        line({ tool_calls: [call('now', {}), call('now', {})] }),
        line({ tool_calls: [call('now', {})] }),
      )?.map((part) => part.type === 'tool-call' && part.id);
    expect(new Set(ids()).size).toBe(3);
    expect(ids()).toEqual(ids());
  });

  it('T12: stream decoder returns tool-calls if there are tool calls, although Ollama sends stop', () => {
    const events = decodeLines(line({ tool_calls: [call('now', {})] }), last());
    expect(events).toContainEqual({
      type: 'finish',
      choice: 0,
      finish: { reason: 'tool-calls', native: 'stop' },
    });
  });
});

it('U7: stream decoder counts only output tokens if the last line has no prompt_eval_count', () => {
  expect(decodeLines(last({ eval_count: 2 }))).toContainEqual({
    type: 'usage',
    usage: expect.objectContaining({ inputTokens: 0, outputTokens: 2 }),
  });
});

it('stream decoder emits no usage without counters', () => {
  expect(typesOf(decodeLines(last()))).not.toContain('usage');
});

it('G2: stream decoder ignores lines that are not part of a response', () => {
  expect(decodeLines({ status: 'pulling manifest' }, {}, { done: false })).toEqual([]);
});

describe('G5: end of a stream', () => {
  it('stream decoder closes the open block but emits no end if the stream breaks off', () => {
    expect(typesOf(decodeLines(line({ content: 'It' })))).toEqual([
      'start',
      'text-start',
      'text-delta',
      'text-end',
    ]);
  });

  it('stream decoder ignores lines after the end', () => {
    const events = decodeLines(last(), line({ content: 'more' }), { error: 'no' });
    expect(events.at(-1)).toEqual({ type: 'end' });
  });

  it('stream decoder ends only if done is exactly true', () => {
    expect(typesOf(decodeLines(line({ content: 'It' }, { done: 'true' })))).not.toContain('end');
  });
});

describe('E7: errors inside a stream', () => {
  it('stream decoder ends with an error if a line has one', () => {
    const events = decodeLines(line({ content: 'It' }), { error: 'unexpected EOF' }, last());
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'upstream_error', message: 'unexpected EOF' });
    expectSound(events);
  });

  it('stream decoder accepts an error in the first line', () => {
    expect(decodeLines({ error: 'model requires more memory' })).toMatchObject([
      { type: 'error', code: 'upstream_error', message: 'model requires more memory' },
    ]);
  });

  it('stream decoder uses a default message for an error without one', () => {
    expect(decodeLines({ error: {} })).toMatchObject([
      {
        type: 'error',
        code: 'upstream_error',
        message: 'The provider reported an error in its response.',
      },
    ]);
  });

  it.each(['load', 'unload'])('stream decoder emits an error for done_reason %s', (done_reason) => {
    expect(decodeLines(last({ done_reason })).slice(1)).toMatchObject([
      {
        type: 'error',
        code: 'upstream_error',
        message: `The provider ended its answer with '${done_reason}'.`,
      },
    ]);
  });

  it.each(['<html>', '{"done":', '[]', '7', 'data: {}'])(
    'stream decoder emits an error for %s, which is not a JSON object',
    (data) => {
      const decoder = createStreamDecoder();
      expect(decoder.decode({ event: 'message', data })).toMatchObject([
        {
          type: 'error',
          code: 'upstream_invalid_response',
          message: 'The provider sent a line that is not JSON.',
        },
      ]);
      expect(decoder.decode({ event: 'message', data: JSON.stringify(last()) })).toMatchObject([]);
    },
  );
});
