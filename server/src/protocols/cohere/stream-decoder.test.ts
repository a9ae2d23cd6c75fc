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

it('S3: an answer begins, says its text, tells its usage, and ends', () => {
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
  it('comes as content of its own', () => {
    expect(
      partsOf(content(0, { thinking: 'Hm' }), content(0, { thinking: '.' }), content(1, { text: 'Yes.' })),
    ).toEqual([
      { type: 'reasoning', text: 'Hm.', isRedacted: false },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  it('may begin with the start of its part', () => {
    const first = content(0, { type: 'thinking', thinking: 'Hm' }, 'content-start');
    expect(partsOf(first, content(0, { thinking: '.' }))).toEqual([
      { type: 'reasoning', text: 'Hm.', isRedacted: false },
    ]);
  });
});

it('parts with other indexes are other parts, as they are in a whole answer', () => {
  expect(partsOf(content(0, { text: 'One.' }), content(1, { text: 'Two.' }))).toEqual([
    { type: 'text', text: 'One.' },
    { type: 'text', text: 'Two.' },
  ]);
});

it('a part that stays empty is none', () => {
  expect(partsOf(content(0, { type: 'text', text: '' }, 'content-start'))).toEqual([]);
});

it('T13: a plan for the use of tools is a thought before the calls', () => {
  expect(
    partsOf(plan('I will'), plan(' read.'), callStart(0, 'c1', 'read'), callDelta(0, '{}'), callEnd(0)),
  ).toEqual([
    { type: 'reasoning', text: 'I will read.', isRedacted: false },
    { type: 'tool-call', id: 'c1', name: 'read', arguments: '{}' },
  ]);
});

describe('T11: calls', () => {
  it('come one after the other, in fragments', () => {
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

  it('may be interleaved', () => {
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

  it('without arguments have no fragment, and do not hold back what follows', () => {
    const decoder = createStreamDecoder();
    const decode = (event: object) =>
      typesOf(decoder.decode({ event: 'message', data: JSON.stringify(event) }));
    expect([start, callStart(0, 'c1', 'now'), callEnd(0)].flatMap(decode)).toEqual([
      'start',
      'tool-input-start',
    ]);
    expect(decode(callStart(1, 'c2', 'now'))).toEqual(['tool-input-end', 'tool-input-start']);
  });

  it.each(['null', 'nul', ' '])('T5: whose arguments are written as %j have none', (json) => {
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

  it('keep fragments that only begin like none', () => {
    expect(partsOf(callStart(0, 'c1', 'now'), callDelta(0, 'n'), callDelta(0, 'ow'))).toMatchObject([
      { arguments: 'now' },
    ]);
  });

  it('T6: without ids get different ones, the same each time', () => {
    const ids = () =>
      partsOf(callStart(0, null, 'now'), callEnd(0), callStart(1, null, 'now'), callEnd(1))?.map(
        (part) => part.type === 'tool-call' && part.id,
      );
    expect(new Set(ids()).size).toBe(2);
    expect(ids()).toEqual(ids());
  });

  it('are parted from a text that goes on after them', () => {
    const parts = partsOf(
      content(0, { text: 'One.' }),
      callStart(0, 'c1', 'now'),
      callEnd(0),
      content(0, { text: 'Two.' }),
    );
    expect(parts?.map(({ type }) => type)).toEqual(['text', 'tool-call', 'text']);
  });

  it('T12: end the answer as such, whatever it says', () => {
    const events = decodeEvents(start, callStart(0, 'c1', 'now'), callEnd(0), end('COMPLETE'));
    expect(events).toContainEqual({
      type: 'finish',
      choice: 0,
      finish: { reason: 'tool-calls', native: 'COMPLETE' },
    });
  });

  it('that never began have no fragments', () => {
    expect(partsOf(callDelta(3, '{"a":1}'), callEnd(3), content(0, { text: 'Yes.' }))).toEqual([
      { type: 'text', text: 'Yes.' },
    ]);
  });
});

it('G2: citations and events of the future are ignored', () => {
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

it('an event is known by its name where its data has no type', () => {
  const decoder = createStreamDecoder();
  const data = JSON.stringify({ index: 0, delta: { message: { content: { text: 'Yes.' } } } });
  expect(typesOf(decoder.decode({ event: 'content-delta', data }))).toEqual([
    'start',
    'text-start',
    'text-delta',
  ]);
});

it('an answer begins with whatever event comes first', () => {
  expect(decodeEvents(content(0, { text: 'Yes.' }))[0]).toEqual({
    type: 'start',
    id: null,
    model: null,
    createdAtSeconds: null,
  });
});

it('a second beginning is ignored', () => {
  expect(typesOf(decodeEvents(start, start)).filter((type) => type === 'start')).toHaveLength(1);
});

describe('G5: a stream', () => {
  it('that breaks off closes its block and has no end', () => {
    expect(typesOf(decodeEvents(start, content(0, { text: 'It' })))).toEqual([
      'start',
      'text-start',
      'text-delta',
      'text-end',
    ]);
  });

  it('has no end by the marker alone, which some put behind it', () => {
    const decoder = createStreamDecoder();
    const last = { event: 'message', data: '[DONE]' };
    decoder.decode({ event: 'message', data: JSON.stringify(content(0, { text: 'It' })) });
    expect(decoder.decode(last)).toEqual([]);
    expect(typesOf(decoder.decode({ event: 'message', data: JSON.stringify(end()) }))).toContain('end');
    expect(decoder.decode(last)).toEqual([]);
  });

  it('says nothing after its end', () => {
    const decoder = createStreamDecoder();
    for (const event of [start, end()]) decoder.decode({ event: 'message', data: JSON.stringify(event) });
    expect(decoder.decode({ event: 'message', data: JSON.stringify(content(0, { text: 'more' })) })).toEqual(
      [],
    );
    expect(decoder.end()).toEqual([]);
  });

  it('whose end gives no reason has simply stopped', () => {
    expect(decodeEvents(start, end(null))).toContainEqual({
      type: 'finish',
      choice: 0,
      finish: { reason: 'stop', native: null },
    });
  });
});

describe('E7: an error inside the stream', () => {
  const usage = { tokens: { input_tokens: 5, output_tokens: 2 } };

  it.each([
    ['ERROR', 'upstream_error'],
    ['TIMEOUT', 'upstream_timeout'],
  ])('may be the reason of its end: %s', (reason, code) => {
    const events = decodeEvents(
      start,
      content(0, { text: 'It' }),
      end(reason, { usage, error: 'out of memory' }),
    );
    expect(events.slice(-2)).toMatchObject([
      { type: 'usage', usage: { inputTokens: 5, outputTokens: 2 } },
      { type: 'error', code, message: 'out of memory' },
    ]);
    expectSound(events);
  });

  it('without words is told in ours', () => {
    expect(decodeEvents(start, end('ERROR')).at(-1)).toEqual({
      type: 'error',
      code: 'upstream_error',
      message: 'The provider ended its answer with ERROR.',
    });
    expect(decodeEvents(start, { type: 'error' }).at(-1)).toEqual({
      type: 'error',
      code: 'upstream_error',
      message: 'The provider reported an error inside the stream.',
    });
  });

  it.each<object>([
    { type: 'error', message: 'out of memory' },
    { message: 'out of memory' },
    { error: { message: 'out of memory' } },
  ])('%j ends the stream', (event) => {
    const events = decodeEvents(start, content(0, { text: 'It' }), event, content(0, { text: ' is' }), end());
    expect(events.at(-1)).toEqual({ type: 'error', code: 'upstream_error', message: 'out of memory' });
    expectSound(events);
  });

  it('may have only its name to be known by', () => {
    const decoder = createStreamDecoder();
    expect(decoder.decode({ event: 'error', data: '{"type":"fatal","message":"no"}' })).toEqual([
      { type: 'error', code: 'upstream_error', message: 'no' },
    ]);
  });

  it.each(['<html>', '{"type":', '[]', '7'])('%s instead of an event is one', (data) => {
    expect(createStreamDecoder().decode({ event: 'message', data })).toEqual([
      {
        type: 'error',
        code: 'upstream_invalid_response',
        message: 'The provider sent a stream event that is not JSON.',
      },
    ]);
  });
});
