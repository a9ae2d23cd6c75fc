import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { collectChoices } from '../translation/collect-choices.ts';
import { createStreamDecoder } from './stream-decoder.ts';
import { decodeEvents } from './testing/exchange.ts';

const start = { type: 'message-start', id: 'a1', delta: { message: { role: 'assistant' } } };
const end = (finish_reason: string | null = 'COMPLETE', rest: object = {}) => ({
  type: 'message-end',
  delta: { finish_reason, ...rest },
});
const content = (index: number, part: object, type = 'content-delta') => ({
  type,
  index,
  delta: { message: { content: part } },
});
const plan = (tool_plan: string) => ({ type: 'tool-plan-delta', delta: { message: { tool_plan } } });
const callStart = (index: number, id: string | null, name: string, json = '') => ({
  type: 'tool-call-start',
  index,
  delta: { message: { tool_calls: { id, type: 'function', function: { name, arguments: json } } } },
});
const callDelta = (index: number, json: string) => ({
  type: 'tool-call-delta',
  index,
  delta: { message: { tool_calls: { function: { arguments: json } } } },
});
const callEnd = (index: number) => ({ type: 'tool-call-end', index });

const partsOf = (...events: object[]) => {
  const decoded = decodeEvents(start, ...events, end());
  expectSound(decoded);
  return collectChoices(decoded)[0]?.parts;
};
const typesOf = (events: readonly StreamEvent[]) => events.map(({ type }) => type);

it('S3: stream decoder emits start, text, usage, finish, and end', () => {
  const usage = { tokens: { input_tokens: 5, output_tokens: 2 }, cached_tokens: 1 };
  expect(
    decodeEvents(
      start,
      content(0, { type: 'text', text: '' }, 'content-start'),
      content(0, { text: 'It is' }),
      content(0, { text: ' late.' }),
      { type: 'content-end', index: 0 },
      end('COMPLETE', { usage }),
    ),
  ).toEqual([
    { type: 'start', id: 'a1', model: null, createdAtSeconds: null },
    { type: 'text-start', choice: 0, block: 0 },
    { type: 'text-delta', choice: 0, block: 0, text: 'It is' },
    { type: 'text-delta', choice: 0, block: 0, text: ' late.' },
    { type: 'text-end', choice: 0, block: 0 },
    {
      type: 'usage',
      usage: {
        inputTokens: 4,
        cacheReadTokens: 1,
        cacheWriteTokens: 0,
        outputTokens: 2,
        reasoningTokens: 0,
      },
    },
    { type: 'finish', choice: 0, finish: { reason: 'stop', native: 'COMPLETE' } },
    { type: 'end' },
  ]);
});

describe('S3: reasoning', () => {
  it('stream decoder decodes thinking as separate reasoning content', () => {
    expect(
      partsOf(content(0, { thinking: 'Hm' }), content(0, { thinking: '.' }), content(1, { text: 'Yes.' })),
    ).toEqual([
      { type: 'reasoning', text: 'Hm.', isRedacted: false },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  it('stream decoder reads reasoning that begins in content-start', () => {
    const first = content(0, { type: 'thinking', thinking: 'Hm' }, 'content-start');
    expect(partsOf(first, content(0, { thinking: '.' }))).toEqual([
      { type: 'reasoning', text: 'Hm.', isRedacted: false },
    ]);
  });
});

it('stream decoder starts a new part for each content index, as in a complete response', () => {
  expect(partsOf(content(0, { text: 'One.' }), content(1, { text: 'Two.' }))).toEqual([
    { type: 'text', text: 'One.' },
    { type: 'text', text: 'Two.' },
  ]);
});

it('stream decoder drops a part that stays empty', () => {
  expect(partsOf(content(0, { type: 'text', text: '' }, 'content-start'))).toEqual([]);
});

it('T13: stream decoder returns the tool plan as reasoning before the tool calls', () => {
  expect(
    partsOf(plan('I will'), plan(' read.'), callStart(0, 'c1', 'read'), callDelta(0, '{}'), callEnd(0)),
  ).toEqual([
    { type: 'reasoning', text: 'I will read.', isRedacted: false },
    { type: 'tool-call', id: 'c1', name: 'read', arguments: '{}' },
  ]);
});

describe('T11: tool calls', () => {
  it('stream decoder joins fragments of consecutive tool calls', () => {
    expect(
      partsOf(
        callStart(0, 'c1', 'read'),
        callDelta(0, '{"a"'),
        callDelta(0, ':1}'),
        callEnd(0),
        callStart(1, 'c2', 'write', '{"b'),
        callDelta(1, '":2}'),
        callEnd(1),
      ),
    ).toEqual([
      { type: 'tool-call', id: 'c1', name: 'read', arguments: '{"a":1}' },
      { type: 'tool-call', id: 'c2', name: 'write', arguments: '{"b":2}' },
    ]);
  });

  it('stream decoder joins fragments of interleaved tool calls', () => {
    expect(
      partsOf(
        callStart(0, 'c1', 'read'),
        callDelta(0, '{"a"'),
        callStart(1, 'c2', 'write'),
        callDelta(1, '{"b"'),
        callDelta(0, ':1}'),
        callEnd(0),
        callDelta(1, ':2}'),
        callEnd(1),
      ),
    ).toEqual([
      { type: 'tool-call', id: 'c1', name: 'read', arguments: '{"a":1}' },
      { type: 'tool-call', id: 'c2', name: 'write', arguments: '{"b":2}' },
    ]);
  });

  it('stream decoder closes a tool call without arguments before the next one starts', () => {
    const decoder = createStreamDecoder();
    const decode = (event: object) =>
      typesOf(decoder.decode({ event: 'message', data: JSON.stringify(event) }));
    expect([start, callStart(0, 'c1', 'now'), callEnd(0)].flatMap(decode)).toEqual([
      'start',
      'tool-input-start',
    ]);
    expect(decode(callStart(1, 'c2', 'now'))).toEqual(['tool-input-end', 'tool-input-start']);
  });

  it.each(['null', 'nul', ' '])('T5: stream decoder emits no delta for arguments written as %j', (json) => {
    const events = decodeEvents(
      start,
      callStart(0, 'c1', 'now'),
      callDelta(0, json),
      callEnd(0),
      end('TOOL_CALL'),
    );
    expect(typesOf(events)).not.toContain('tool-input-delta');
    expect(collectChoices(events)[0]?.parts).toEqual([
      { type: 'tool-call', id: 'c1', name: 'now', arguments: '{}' },
    ]);
  });

  it('stream decoder keeps argument fragments that begin like null', () => {
    expect(partsOf(callStart(0, 'c1', 'now'), callDelta(0, 'n'), callDelta(0, 'ow'))).toMatchObject([
      { arguments: 'now' },
    ]);
  });

  it('T6: stream decoder generates unique, stable IDs for tool calls without IDs', () => {
    const ids = () =>
      partsOf(callStart(0, null, 'now'), callEnd(0), callStart(1, null, 'now'), callEnd(1))?.map(
        (part) => part.type === 'tool-call' && part.id,
      );
    expect(new Set(ids()).size).toBe(2);
    expect(ids()).toEqual(ids());
  });

  it('stream decoder starts a new text block if text continues after a tool call', () => {
    const parts = partsOf(
      content(0, { text: 'One.' }),
      callStart(0, 'c1', 'now'),
      callEnd(0),
      content(0, { text: 'Two.' }),
    );
    expect(parts?.map(({ type }) => type)).toEqual(['text', 'tool-call', 'text']);
  });

  it('T12: stream decoder returns the finish reason tool-calls if there are tool calls', () => {
    const events = decodeEvents(start, callStart(0, 'c1', 'now'), callEnd(0), end('COMPLETE'));
    expect(events).toContainEqual({
      type: 'finish',
      choice: 0,
      finish: { reason: 'tool-calls', native: 'COMPLETE' },
    });
  });

  it('stream decoder ignores fragments of a tool call that never started', () => {
    expect(partsOf(callDelta(3, '{"a":1}'), callEnd(3), content(0, { text: 'Yes.' }))).toEqual([
      { type: 'text', text: 'Yes.' },
    ]);
  });
});

it('G2: stream decoder ignores citations and unknown events', () => {
  const citation = { type: 'citation-start', index: 0, delta: { message: { citations: { text: 'It' } } } };
  const parts = partsOf(
    content(0, { text: 'It' }),
    citation,
    { type: 'citation-end', index: 0 },
    { type: 'hologram-delta', message: 'not an error', delta: 7 },
    content(0, { text: ' is.' }),
  );
  expect(parts).toEqual([{ type: 'text', text: 'It is.' }]);
});

it('stream decoder uses the SSE event name if the data has no type', () => {
  const decoder = createStreamDecoder();
  const data = JSON.stringify({ index: 0, delta: { message: { content: { text: 'Yes.' } } } });
  expect(typesOf(decoder.decode({ event: 'content-delta', data }))).toEqual([
    'start',
    'text-start',
    'text-delta',
  ]);
});

it('stream decoder emits start if the stream begins without message-start', () => {
  expect(decodeEvents(content(0, { text: 'Yes.' }))[0]).toEqual({
    type: 'start',
    id: null,
    model: null,
    createdAtSeconds: null,
  });
});

it('stream decoder ignores a second message-start', () => {
  expect(typesOf(decodeEvents(start, start)).filter((type) => type === 'start')).toHaveLength(1);
});

describe('G5: end of a stream', () => {
  it('stream decoder closes the open block but emits no end if the stream breaks off', () => {
    expect(typesOf(decodeEvents(start, content(0, { text: 'It' })))).toEqual([
      'start',
      'text-start',
      'text-delta',
      'text-end',
    ]);
  });

  it('stream decoder does not treat [DONE], which some streams send last, as the end', () => {
    const decoder = createStreamDecoder();
    const last = { event: 'message', data: '[DONE]' };
    decoder.decode({ event: 'message', data: JSON.stringify(content(0, { text: 'It' })) });
    expect(decoder.decode(last)).toEqual([]);
    expect(typesOf(decoder.decode({ event: 'message', data: JSON.stringify(end()) }))).toContain('end');
    expect(decoder.decode(last)).toEqual([]);
  });

  it('stream decoder ignores events after the end', () => {
    const decoder = createStreamDecoder();
    for (const event of [start, end()]) decoder.decode({ event: 'message', data: JSON.stringify(event) });
    expect(decoder.decode({ event: 'message', data: JSON.stringify(content(0, { text: 'more' })) })).toEqual(
      [],
    );
    expect(decoder.end()).toEqual([]);
  });

  it('stream decoder maps a missing finish reason to stop', () => {
    expect(decodeEvents(start, end(null))).toContainEqual({
      type: 'finish',
      choice: 0,
      finish: { reason: 'stop', native: null },
    });
  });
});

describe('E7: errors inside a stream', () => {
  const usage = { tokens: { input_tokens: 5, output_tokens: 2 } };

  it.each([
    ['ERROR', 'upstream_error'],
    ['TIMEOUT', 'upstream_timeout'],
  ])('stream decoder emits an error for the finish reason %s', (reason, code) => {
    const events = decodeEvents(
      start,
      content(0, { text: 'It' }),
      end(reason, { usage, error: 'out of memory' }),
    );
    expect(events.slice(-2)).toMatchObject([
      { type: 'usage', usage: { inputTokens: 5, outputTokens: 2 } },
      { type: 'error', code, message: expect.stringContaining('out of memory') },
    ]);
    expectSound(events);
  });

  it('stream decoder uses a default message for an error without one', () => {
    expect(decodeEvents(start, end('ERROR')).at(-1)).toMatchObject({
      type: 'error',
      code: 'upstream_error',
      message: "The provider ended its answer with 'ERROR'.",
    });
    expect(decodeEvents(start, { type: 'error' }).at(-1)).toMatchObject({
      type: 'error',
      code: 'upstream_error',
      message: 'The provider reported an error in its response.',
    });
  });

  it.each<object>([
    { type: 'error', message: 'out of memory' },
    { message: 'out of memory' },
    { error: { message: 'out of memory' } },
  ])('stream decoder ends the stream at the error %j', (event) => {
    const events = decodeEvents(start, content(0, { text: 'It' }), event, content(0, { text: ' is' }), end());
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'upstream_error', message: 'out of memory' });
    expectSound(events);
  });

  it('stream decoder recognizes an error by its SSE event name alone', () => {
    const decoder = createStreamDecoder();
    expect(decoder.decode({ event: 'error', data: '{"type":"fatal","message":"no"}' })).toMatchObject([
      { type: 'error', code: 'upstream_error', message: 'no' },
    ]);
  });

  it.each(['<html>', '{"type":', '[]', '7'])(
    'stream decoder emits an error for %s instead of an event',
    (data) => {
      expect(createStreamDecoder().decode({ event: 'message', data })).toMatchObject([
        {
          type: 'error',
          code: 'upstream_invalid_response',
          message: 'The provider sent a stream event that is not JSON.',
        },
      ]);
    },
  );
});
