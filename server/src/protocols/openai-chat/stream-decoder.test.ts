import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { collectChoices } from '../translation/collect-choices.ts';
import { dropSignedField } from '../translation/reasoning-field.ts';
import { createStreamDecoder } from './stream-decoder.ts';

const chunkOf = (choices: unknown, rest: object = {}) =>
  JSON.stringify({ id: 'a', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...rest });
const delta = (message: object, finish_reason: string | null = null, index = 0) =>
  chunkOf([{ index, delta: message, finish_reason }]);
const call = (fragment: object) => delta({ tool_calls: [fragment] });
const finish = (reason = 'stop') => delta({}, reason);
const done = '[DONE]';

function decode(...chunks: string[]): StreamEvent[][] {
  const decoder = createStreamDecoder();
  return [...chunks.map((data) => [...decoder.decode({ event: 'message', data })]), [...decoder.end()]];
}
const decodeAll = (...chunks: string[]) => decode(...chunks).flat();
const partsOf = (...chunks: string[]) => collectChoices(decodeAll(...chunks))[0]?.parts.map(dropSignedField);
const callPart = (id: string, name: string, json: string) => ({
  type: 'tool-call',
  id,
  name,
  arguments: json,
});

describe('stream decoder: text', () => {
  it('stream decoder emits start, deltas, end and finish as soon as they arrive', () => {
    expect(
      decode(
        delta({ role: 'assistant', content: '' }),
        delta({ content: 'He' }),
        delta({ content: 'llo' }),
        finish(),
        done,
      ),
    ).toEqual([
      [{ type: 'start', id: 'a', model: 'm', createdAtSeconds: 1 }],
      [
        { type: 'text-start', choice: 0, block: 0 },
        { type: 'text-delta', choice: 0, block: 0, text: 'He' },
      ],
      [{ type: 'text-delta', choice: 0, block: 0, text: 'llo' }],
      [
        { type: 'text-end', choice: 0, block: 0 },
        { type: 'finish', choice: 0, finish: { reason: 'stop', native: 'stop' } },
      ],
      [{ type: 'end' }],
      [],
    ]);
  });

  it('stream decoder reads the id from the first chunk that has one', () => {
    const azure = chunkOf([], { id: '', model: '', created: 0, prompt_filter_results: [{}] });
    expect(decode(azure, delta({ content: 'a' }))[0]).toEqual([]);
    expect(decodeAll(azure, delta({ content: 'a' }), delta({ content: 'b' }))).toEqual([
      { type: 'start', id: 'a', model: 'm', createdAtSeconds: 1 },
      expect.objectContaining({ type: 'text-start' }),
      expect.objectContaining({ text: 'a' }),
      expect.objectContaining({ text: 'b' }),
      expect.objectContaining({ type: 'text-end' }),
    ]);
  });

  it('stream decoder continues without an id', () => {
    const [first] = decodeAll('{"choices":[{"delta":{"content":"a"}}]}');
    expect(first).toEqual({ type: 'start', id: null, model: null, createdAtSeconds: null });
  });

  it('stream decoder emits one finish even if the provider repeats it', () => {
    const again = delta({ role: 'assistant', content: '' }, 'stop');
    expect(
      decodeAll(delta({ content: 'a' }), again, again).filter(({ type }) => type === 'finish'),
    ).toHaveLength(1);
  });

  it('stream decoder ignores text after the finish reason', () => {
    expect(decodeAll(finish(), delta({ content: 'late' }))).not.toContainEqual(
      expect.objectContaining({ type: 'text-delta' }),
    );
  });

  it('stream decoder emits no finish for a stream that ends without one', () => {
    const events = decodeAll(delta({ content: 'a' }));
    expect(events.at(-1)).toEqual({ type: 'text-end', choice: 0, block: 0 });
    expect(events.some(({ type }) => type === 'finish' || type === 'end')).toBe(false);
  });

  it('stream decoder adds no finish reason if the provider closes the stream without one', () => {
    expect(decodeAll(delta({ content: 'a' }), done).slice(-2)).toEqual([
      { type: 'text-end', choice: 0, block: 0 },
      { type: 'end' },
    ]);
  });

  it('stream decoder reads the delta and ignores an accompanying message', () => {
    const both = chunkOf([{ index: 0, delta: { content: 'b' }, message: { content: 'ab' } }]);
    expect(partsOf(delta({ content: 'a' }), both)).toEqual([{ type: 'text', text: 'ab' }]);
  });

  it.each<[name: string, chunk: string, text: string]>([
    ['fields', delta({ content: 'a', audio: { id: 'x' }, channel: 'final', p: 'abc' }), 'xa'],
    ['parts of content', delta({ content: [{ type: 'reference' }, { type: 'text', text: 'a' }, 7] }), 'xa'],
    ['empty choices', chunkOf([]), 'x'],
    ['null choices', chunkOf(null), 'x'],
    ['a null choice', chunkOf([null, { delta: { content: 'a' } }]), 'xa'],
    ['a choice without a delta', chunkOf([{ index: 0, content_filter_results: {} }]), 'x'],
    ['a null delta', chunkOf([{ index: 0, delta: null }]), 'x'],
    ['null fields', delta({ content: null, tool_calls: null, refusal: null, reasoning: null }), 'x'],
    ['invalid tool calls', delta({ tool_calls: [null, 7, 'x'] }), 'x'],
    ['content that is a number', delta({ content: 7 }), 'x'],
    ['an empty object', '{}', 'x'],
  ])('stream decoder ignores unknown input: %s', (_, chunk, text) => {
    const events = decodeAll(delta({ content: 'x' }), chunk, finish());
    expect(events.some(({ type }) => type === 'error')).toBe(false);
    expect(collectChoices(events)[0]?.parts).toEqual([{ type: 'text', text }]);
  });
});

describe('stream decoder: several choices', () => {
  it('stream decoder keeps separate blocks and finishes per choice', () => {
    const events = decodeAll(
      delta({ content: 'a' }, null, 0),
      delta({ content: 'x' }, null, 1),
      delta({ content: 'b' }, null, 0),
      delta({}, 'length', 1),
      delta({}, 'stop', 0),
      done,
    );
    expect(collectChoices(events)).toEqual([
      { parts: [{ type: 'text', text: 'ab' }], finish: { reason: 'stop', native: 'stop' } },
      { parts: [{ type: 'text', text: 'x' }], finish: { reason: 'length', native: 'length' } },
    ]);
    expect(events.filter((event) => 'block' in event && event.block !== 0)).toEqual([]);
  });

  it('stream decoder reads several choices in one chunk', () => {
    const both = chunkOf([
      { index: 1, delta: { content: 'x' } },
      { index: 0, delta: { content: 'a' } },
    ]);
    expect(collectChoices(decodeAll(both)).map(({ parts }) => parts)).toEqual([
      [{ type: 'text', text: 'a' }],
      [{ type: 'text', text: 'x' }],
    ]);
  });
});

describe('stream decoder: tool calls', () => {
  const named = (index: number | undefined, id: string | undefined, name: string, json: string) => ({
    index,
    id,
    type: 'function',
    function: { name, arguments: json },
  });
  const more = (index: number | undefined, json: string) => ({ index, function: { arguments: json } });

  it.each<[name: string, chunks: string[], parts: object[]]>([
    [
      'in fragments',
      [call(named(0, 'c1', 'f', '')), call(more(0, '{"a"')), call(more(0, ':1}'))],
      [callPart('c1', 'f', '{"a":1}')],
    ],
    ['complete', [call(named(0, 'c1', 'f', '{"a":1}'))], [callPart('c1', 'f', '{"a":1}')]],
    [
      'one after the other',
      [
        call(named(0, 'c1', 'f', '')),
        call(more(0, '{}')),
        call(named(1, 'c2', 'g', '')),
        call(more(1, '{"b":2}')),
      ],
      [callPart('c1', 'f', '{}'), callPart('c2', 'g', '{"b":2}')],
    ],
    [
      'in one chunk',
      [delta({ tool_calls: [named(0, 'c1', 'f', '{}'), named(1, 'c2', 'f', '{"b":2}')] })],
      [callPart('c1', 'f', '{}'), callPart('c2', 'f', '{"b":2}')],
    ],
    [
      'interleaved',
      [
        delta({ tool_calls: [named(0, 'c1', 'f', ''), named(1, 'c2', 'g', '')] }),
        call(more(1, '{"b"')),
        call(more(0, '{"a"')),
        call(more(1, ':2}')),
        call(more(0, ':1}')),
      ],
      [callPart('c1', 'f', '{"a":1}'), callPart('c2', 'g', '{"b":2}')],
    ],
    [
      'with an index that does not start at 0',
      [call(named(1, 'c1', 'f', '')), call(more(1, '')), call(more(1, '{"a":1}'))],
      [callPart('c1', 'f', '{"a":1}')],
    ],
    [
      'without any index',
      [call(named(undefined, 'c1', 'f', '{}')), call(named(undefined, 'c2', 'g', '{"b":2}'))],
      [callPart('c1', 'f', '{}'), callPart('c2', 'g', '{"b":2}')],
    ],
    [
      'without any index, in fragments',
      [call(named(undefined, 'c1', 'f', '')), call(more(undefined, '{"a":1}'))],
      [callPart('c1', 'f', '{"a":1}')],
    ],
    [
      'all with the same index',
      [delta({ tool_calls: [named(0, 'c1', 'f', '{}'), named(0, 'c2', 'g', '{}')] })],
      [callPart('c1', 'f', '{}'), callPart('c2', 'g', '{}')],
    ],
    [
      'with the id and name on every fragment',
      [call(named(0, 'c1', 'f', '{"a"')), call(named(0, 'c1', 'f', ':1}'))],
      [callPart('c1', 'f', '{"a":1}')],
    ],
    [
      'with an empty id on later fragments',
      [call(named(0, 'c1', 'f', '{"a"')), call(named(0, '', '', ':1}'))],
      [callPart('c1', 'f', '{"a":1}')],
    ],
    [
      'with a name that arrives late',
      [call({ index: 0, id: 'c1', function: { arguments: '{"a"' } }), call(named(0, 'c1', 'f', ':1}'))],
      [callPart('c1', 'f', '{"a":1}')],
    ],
    ['without arguments', [call(named(0, 'c1', 'f', ''))], [callPart('c1', 'f', '{}')]],
    [
      'without arguments, but with empty fragments',
      [call(named(0, 'c1', 'f', '')), call(more(0, ''))],
      [callPart('c1', 'f', '{}')],
    ],
    [
      'with arguments that are null',
      [call({ index: 0, id: 'c1', function: { name: 'f', arguments: null } })],
      [callPart('c1', 'f', '{}')],
    ],
    [
      'with arguments that are an object',
      [call({ index: 0, id: 'c1', function: { name: 'f', arguments: { a: 1 } } })],
      [callPart('c1', 'f', '{"a":1}')],
    ],
    [
      'after a text',
      [delta({ content: 'Let me see' }), call(named(0, 'c1', 'f', '{}'))],
      [{ type: 'text', text: 'Let me see' }, callPart('c1', 'f', '{}')],
    ],
    [
      'before a text',
      [call(named(0, 'c1', 'f', '{}')), delta({ content: 'Well' })],
      [callPart('c1', 'f', '{}'), { type: 'text', text: 'Well' }],
    ],
    [
      'around a text that arrives too early',
      [
        call(named(0, 'c1', 'f', '{"a"')),
        delta({ content: 'We' }),
        delta({ content: 'll' }),
        call(more(0, ':1}')),
      ],
      [callPart('c1', 'f', '{"a":1}'), { type: 'text', text: 'Well' }],
    ],
  ])('stream decoder reads tool calls: %s', (_, chunks, parts) => {
    expect(partsOf(...chunks, finish('tool_calls'))).toEqual(parts);
    expect(partsOf(...chunks)).toEqual(parts);
  });

  it('stream decoder reads legacy function calls', () => {
    const chunks = [
      delta({ function_call: { name: 'f', arguments: '' } }),
      delta({ function_call: { arguments: '{"a":1}' } }),
      finish('function_call'),
    ];
    expect(partsOf(...chunks)).toEqual([callPart(expect.stringMatching(/^call_\w{24}$/), 'f', '{"a":1}')]);
  });

  it('stream decoder creates deterministic ids for calls without one', () => {
    const chunks = [
      delta({ tool_calls: [named(0, undefined, 'f', '{}'), named(1, '', 'f', '{}')] }),
      finish(),
    ];
    const ids = partsOf(...chunks)?.map((part) => part.type === 'tool-call' && part.id);
    expect(new Set(ids).size).toBe(2);
    expect(partsOf(...chunks)?.map((part) => part.type === 'tool-call' && part.id)).toEqual(ids);
    const other = chunks.map((chunk) => chunk.replace('"id":"a"', '"id":"b"'));
    expect(partsOf(...other)?.map((part) => part.type === 'tool-call' && part.id)).not.toEqual(ids);
  });

  it('stream decoder emits each argument fragment as it arrives', () => {
    expect(
      decode(call(named(0, 'c1', 'f', '')), call(more(0, '{"a"')), call(more(0, ':1}'))).slice(0, 3),
    ).toEqual([
      [
        expect.objectContaining({ type: 'start' }),
        { type: 'tool-input-start', choice: 0, block: 0, id: 'c1', name: 'f' },
      ],
      [{ type: 'tool-input-delta', choice: 0, block: 0, json: '{"a"' }],
      [{ type: 'tool-input-delta', choice: 0, block: 0, json: ':1}' }],
    ]);
  });

  it.each(['stop', 'tool_calls', 'function_call'])(
    'stream decoder maps the finish reason %s of a response with calls to tool-calls',
    (reason) => {
      const events = decodeAll(call(named(0, 'c1', 'f', '{}')), finish(reason));
      expect(events.at(-1)).toMatchObject({
        type: 'finish',
        finish: { reason: 'tool-calls', native: reason },
      });
    },
  );

  it('stream decoder keeps the extra content of calls', () => {
    const extra_content = { google: { thought_signature: 'c2ln' } };
    const parts = partsOf(call({ ...named(0, 'c1', 'f', '{}'), extra_content }), finish());
    expect(parts).toEqual([
      {
        ...callPart('c1', 'f', '{}'),
        signature: { protocol: 'openai-chat', value: JSON.stringify(extra_content) },
      },
    ]);
  });
});

describe('stream decoder: reasoning', () => {
  const thought = (text: string) => ({ type: 'reasoning', text, isRedacted: false });
  const detail = (fields: object) => delta({ reasoning_details: [fields] });
  const proof = (fields: object) => ({
    protocol: 'openai-chat',
    value: JSON.stringify(fields, Object.keys(fields).toSorted()),
  });

  it.each<[name: string, field: string]>([
    ['DeepSeek and xAI', 'reasoning_content'],
    ['Groq and Ollama', 'reasoning'],
  ])('stream decoder reads reasoning from a separate field, as sent by %s', (_, field) => {
    const chunks = [
      delta({ [field]: 'I ' }),
      delta({ [field]: 'think', content: null }),
      delta({ content: 'Yes' }),
    ];
    expect(partsOf(...chunks)).toEqual([thought('I think'), { type: 'text', text: 'Yes' }]);
  });

  it('stream decoder reads reasoning once if both fields contain it', () => {
    expect(partsOf(delta({ reasoning: 'Hm', reasoning_content: 'Hm' }))).toEqual([thought('Hm')]);
  });

  it('stream decoder reads reasoning and text from one chunk', () => {
    expect(partsOf(delta({ content: 'Yes', reasoning_content: 'Hm' }))).toEqual([
      thought('Hm'),
      { type: 'text', text: 'Yes' },
    ]);
  });

  it('stream decoder reads reasoning from content parts, as sent by Mistral', () => {
    const thinking = (text: string) => ({
      type: 'thinking',
      thinking: [{ type: 'text', text }],
      closed: true,
    });
    const chunks = [
      delta({ content: [thinking('I ')] }),
      delta({ content: [thinking('think'), { type: 'text', text: 'Ye' }] }),
      delta({ content: 's' }),
    ];
    expect(partsOf(...chunks)).toEqual([thought('I think'), { type: 'text', text: 'Yes' }]);
  });

  it('stream decoder reads a signature from a later chunk', () => {
    const parts = partsOf(
      delta({ reasoning: 'I ', reasoning_details: [{ type: 'reasoning.text', text: 'I ', index: 0 }] }),
      detail({ type: 'reasoning.text', text: 'think', index: 0 }),
      detail({ type: 'reasoning.text', signature: 'c2ln', index: 0 }),
      delta({ content: 'Yes' }),
    );
    expect(parts).toEqual([
      { ...thought('I think'), signature: proof({ type: 'reasoning.text', index: 0, signature: 'c2ln' }) },
      { type: 'text', text: 'Yes' },
    ]);
  });

  it('stream decoder ends reasoning at its signature and starts a new block after it', () => {
    const parts = partsOf(
      detail({ type: 'reasoning.text', text: 'one', signature: 'c2ln', index: 0 }),
      detail({ type: 'reasoning.text', text: 'two', signature: 'bWU=', index: 0 }),
    );
    expect(parts?.map((part) => part.type === 'reasoning' && part.text)).toEqual(['one', 'two']);
  });

  it('stream decoder reads each piece of hidden reasoning as a complete block without text', () => {
    const hidden = { type: 'reasoning.encrypted', data: 'ZW5j', format: 'xai-responses-v1', index: 0 };
    const parts = partsOf(
      detail({ type: 'reasoning.summary', summary: 'First', index: 0 }),
      detail({ type: 'reasoning.summary', summary: ', then', index: 0 }),
      detail(hidden),
      detail(hidden),
    );
    expect(parts).toEqual([
      { ...thought('First, then'), signature: proof({ type: 'reasoning.summary', index: 0 }) },
      { type: 'reasoning', text: '', isRedacted: true, signature: proof(hidden) },
      { type: 'reasoning', text: '', isRedacted: true, signature: proof(hidden) },
    ]);
  });

  it('stream decoder emits reasoning once if its signature repeats the text', () => {
    const parts = partsOf(
      delta({ reasoning_content: 'I ' }),
      delta({ reasoning_content: 'think' }),
      detail({ type: 'reasoning.text', text: 'I think', signature: 'c2ln', index: 0 }),
    );
    expect(parts).toEqual([
      { ...thought('I think'), signature: proof({ type: 'reasoning.text', signature: 'c2ln', index: 0 }) },
    ]);
  });

  it('stream decoder ignores reasoning in an unknown format', () => {
    expect(
      partsOf(detail({ text: 'no type' }), delta({ reasoning_details: [null, 7] }), delta({ content: 'a' })),
    ).toEqual([{ type: 'text', text: 'a' }]);
  });
});

describe('stream decoder: refusals', () => {
  it('stream decoder reads a refusal in pieces, separate from text', () => {
    const events = decodeAll(delta({ refusal: "I'm " }), delta({ refusal: 'sorry' }), finish());
    expect(collectChoices(events)[0]?.parts).toEqual([{ type: 'refusal', text: "I'm sorry" }]);
    expect(events.some(({ type }) => type.startsWith('text'))).toBe(false);
  });
});

describe('stream decoder: usage', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2 };
  const told = (more: object = {}) => ({
    type: 'usage',
    usage: expect.objectContaining({ inputTokens: 3, ...more }),
  });

  it('stream decoder marks usage that is alone in its chunk as withholdable', () => {
    expect(decodeAll(finish(), chunkOf([], { usage })).at(-1)).toEqual({ ...told(), isAlone: true });
  });

  it.each([
    ['the finish', chunkOf([{ index: 0, delta: {}, finish_reason: 'stop' }], { usage })],
    ['a text', chunkOf([{ index: 0, delta: { content: 'a' } }], { usage })],
    ['a choice with only unknown fields', chunkOf([{ index: 0, delta: { annotations: [{}] } }], { usage })],
  ])('stream decoder does not mark usage next to %s as withholdable', (_, chunk) => {
    expect(decodeAll(delta({ content: 'x' }), chunk)).toContainEqual(told());
  });

  it('stream decoder reads usage as cumulative', () => {
    const events = decodeAll(
      chunkOf([{ index: 0, delta: { content: 'a' } }], { usage: { prompt_tokens: 3, completion_tokens: 1 } }),
      chunkOf([{ index: 0, delta: { content: 'b' } }], { usage }),
    );
    expect(events.filter(({ type }) => type === 'usage')).toEqual([
      told({ outputTokens: 1 }),
      told({ outputTokens: 2 }),
    ]);
  });

  it("stream decoder reads usage from Groq's own field", () => {
    expect(
      decodeAll(chunkOf([{ index: 0, delta: {}, finish_reason: 'stop' }], { x_groq: { id: 'r', usage } })),
    ).toContainEqual(told());
  });

  it.each([null, undefined, 'x', { prompt_tokens: -1, completion_tokens: 1 }])(
    'stream decoder ignores the usage %j',
    (wrong) => {
      const events = decodeAll(chunkOf([{ index: 0, delta: { content: 'a' } }], { usage: wrong }));
      expect(events.some(({ type }) => type === 'usage')).toBe(false);
    },
  );
});

describe('stream decoder: errors', () => {
  const failing = (error: unknown, rest: object = {}) => JSON.stringify({ error, ...rest });

  it.each<[name: string, chunk: string, code: string, message: string]>([
    ["OpenAI's", failing({ message: 'no', type: 'server_error', code: null }), 'upstream_error', 'no'],
    [
      "OpenRouter's, with a choice next to it",
      failing(
        { code: 502, message: 'no' },
        { id: 'a', choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }] },
      ),
      'upstream_error',
      'no',
    ],
    ['a rate limit', failing({ code: 429, message: 'slow' }), 'rate_limited', 'slow'],
    ['an overload', failing({ code: 529, message: 'busy' }), 'upstream_overloaded', 'busy'],
    ['a plain string', failing('no'), 'upstream_error', 'no'],
    ['without a message', failing({}), 'upstream_error', 'The provider reported an error in its response.'],
    ['invalid JSON', 'oops', 'upstream_error', 'The provider sent a stream event that is not JSON.'],
    ['not an object', '7', 'upstream_error', 'The provider sent a stream event that is not JSON.'],
  ])('stream decoder ends the stream at an error: %s', (_, chunk, code, message) => {
    const events = decodeAll(delta({ content: 'a' }), chunk, delta({ content: 'b' }), finish(), done);
    expect(events.slice(-2)).toMatchObject([
      { type: 'text-end', choice: 0, block: 0 },
      { type: 'error', code, message },
    ]);
  });

  it('stream decoder recognizes an error by its event name, as sent by Groq', () => {
    const data = JSON.stringify({ message: 'Tool choice is required', status_code: 400 });
    expect(createStreamDecoder().decode({ event: 'error', data })).toMatchObject([
      { type: 'error', code: 'provider_rejected', message: 'Tool choice is required' },
    ]);
  });

  it.each([null, false, 0, ''])('stream decoder does not read the error field %j as an error', (error) => {
    expect(
      decodeAll(chunkOf([{ index: 0, delta: { content: 'a' } }], { error })).some(
        ({ type }) => type === 'error',
      ),
    ).toBe(false);
  });
});
