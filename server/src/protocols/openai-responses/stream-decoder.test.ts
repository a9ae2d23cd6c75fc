import { describe, expect, it } from 'vitest';
import { openaiResponses } from './index.ts';
import { decodeEvents } from './testing/exchange.ts';
import {
  added,
  blocksOf,
  call,
  completed,
  created,
  done,
  jsonDelta,
  message,
  response,
  summaryDelta,
  textDelta,
  thought,
  thoughtDelta,
  typesOf,
} from './testing/wire-events.ts';

const at = (block: number) => ({ choice: 0, block });
const text = (block: number, ...pieces: string[]) => [
  { type: 'text-start', ...at(block) },
  ...pieces.map((piece) => ({ type: 'text-delta', ...at(block), text: piece })),
  { type: 'text-end', ...at(block) },
];
const input = (block: number, id: string, ...pieces: string[]) => [
  { type: 'tool-input-start', ...at(block), id, name: 'read' },
  ...pieces.map((json) => ({ type: 'tool-input-delta', ...at(block), json })),
  { type: 'tool-input-end', ...at(block) },
];

describe('stream decoder: start of a response', () => {
  it('stream decoder emits the start once, before anything else', () => {
    const events = decodeEvents(
      created,
      { type: 'response.in_progress', response: response({ id: 'other' }) },
      completed(),
    );
    expect(events.filter(({ type }) => type === 'start')).toEqual([
      { type: 'start', id: 'resp_1', model: 'gpt-9', createdAtSeconds: 1_790_000_000 },
    ]);
  });

  it('stream decoder does not read the start from an event without a response', () => {
    const events = decodeEvents({ type: 'keepalive', sequence_number: 0 }, created, completed());
    expect(events[0]).toMatchObject({ type: 'start', id: 'resp_1' });
  });

  it.each([
    ['nothing', {}],
    ['fields that are not strings', { id: 7, model: null, created_at: 'now' }],
    ['empty strings', { id: '', model: '', created_at: null }],
  ])('stream decoder accepts a start with %s', (_, fields) => {
    const [start] = decodeEvents({ type: 'response.created', response: fields }, completed());
    expect(start).toEqual({ type: 'start', id: null, model: null, createdAtSeconds: null });
  });

  it('stream decoder emits a start without an id if an item arrives before any response', () => {
    const events = decodeEvents(added(0, message('msg_1')), textDelta(0, 'Hi'), completed());
    expect(events[0]).toEqual({ type: 'start', id: null, model: null, createdAtSeconds: null });
    expect(typesOf(events)).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'finish', 'end']);
  });
});

describe('stream decoder: text', () => {
  it('stream decoder emits a block for each part of a message', () => {
    expect(
      blocksOf(
        added(0, message('msg_1')),
        textDelta(0, 'a'),
        textDelta(0, 'b'),
        textDelta(0, 'c', 1),
        done(0, message('msg_1', 'ab', 'c')),
      ),
    ).toEqual([...text(0, 'a', 'b'), ...text(1, 'c')]);
  });

  it('stream decoder emits no block for empty text', () => {
    expect(blocksOf(added(0, message('msg_1')), textDelta(0, ''), done(0, message('msg_1', '')))).toEqual([]);
  });

  it('stream decoder emits the rest of a text if the deltas were shorter than the complete text', () => {
    const textDone = { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'abcd' };
    expect(
      blocksOf(added(0, message('msg_1')), textDelta(0, 'ab'), textDone, done(0, message('msg_1', 'abcdef'))),
    ).toEqual(text(0, 'ab', 'cd', 'ef'));
  });

  it('stream decoder reads text from the item if there were no deltas', () => {
    expect(blocksOf(done(0, message('msg_1', 'whole', 'too')))).toEqual([
      ...text(0, 'whole'),
      ...text(1, 'too'),
    ]);
  });

  it('stream decoder reads text of an item without a start event', () => {
    expect(blocksOf(textDelta(0, 'a'), textDelta(0, 'b'))).toEqual(text(0, 'a', 'b'));
  });

  it('stream decoder does not repeat the text of a completed item', () => {
    const late = { ...textDelta(0, 'late'), item_id: 'msg_1' };
    const item = message('msg_1', 'a');
    expect(blocksOf(added(0, item), done(0, item), late, done(0, item))).toEqual(text(0, 'a'));
  });

  it('stream decoder reads text from the last event if there were no items', () => {
    const events = decodeEvents(
      created,
      completed({ output: [message('msg_1', 'all'), call('fc_1', '{"a":1}')] }),
    );
    expect(events.filter((event) => 'block' in event)).toEqual([
      ...text(0, 'all'),
      ...input(1, 'call_fc_1', '{"a":1}'),
    ]);
    expect(events.at(-2)).toMatchObject({ type: 'finish', finish: { reason: 'tool-calls' } });
  });
});

describe('stream decoder: calls', () => {
  it('stream decoder emits calls in pieces with the id that their results use', () => {
    expect(
      blocksOf(
        added(0, call('fc_1')),
        jsonDelta(0, '{"a"'),
        jsonDelta(0, ':1}'),
        done(0, call('fc_1', '{"a":1}')),
      ),
    ).toEqual(input(0, 'call_fc_1', '{"a"', ':1}'));
  });

  it('stream decoder emits no delta for calls without arguments', () => {
    expect(blocksOf(added(0, call('fc_1')), jsonDelta(0, ''), done(0, call('fc_1')))).toEqual(
      input(0, 'call_fc_1'),
    );
  });

  it('stream decoder reads arguments that arrive only when complete', () => {
    const argumentsDone = {
      type: 'response.function_call_arguments.done',
      output_index: 0,
      arguments: '{"a":1}',
    };
    const expected = input(0, 'call_fc_1', '{"a":1}');
    expect(blocksOf(added(0, call('fc_1')), argumentsDone, done(0, call('fc_1', '{"a":1}')))).toEqual(
      expected,
    );
    expect(blocksOf(done(0, call('fc_1', '{"a":1}')))).toEqual(expected);
  });

  it('stream decoder reads arguments given as an object instead of JSON text', () => {
    expect(blocksOf(done(0, { ...call('fc_1'), arguments: { a: 1 } }))).toEqual(
      input(0, 'call_fc_1', '{"a":1}'),
    );
  });

  it('stream decoder uses the item id of a call, or creates one, if it has no call id', () => {
    const { call_id: _, ...bare } = call('fc_1');
    expect(blocksOf(done(0, bare))[0]).toMatchObject({ id: 'fc_1' });
    const nameless = blocksOf(done(0, { ...bare, id: '' }), done(1, { ...bare, id: '' }));
    const ids = nameless.flatMap((event) => (event.type === 'tool-input-start' ? [event.id] : []));
    expect(ids).toEqual([expect.stringMatching(/^call_\w{20,}$/), expect.stringMatching(/^call_\w{20,}$/)]);
    expect(new Set(ids).size).toBe(2);
  });

  it('stream decoder emits interleaved calls one after the other', () => {
    expect(
      blocksOf(
        added(0, call('a')),
        added(1, call('b')),
        jsonDelta(1, '{"b":'),
        jsonDelta(0, '{"a":'),
        jsonDelta(1, '1}'),
        done(1, call('b', '{"b":1}')),
        jsonDelta(0, '1}'),
        done(0, call('a', '{"a":1}')),
      ),
    ).toEqual([...input(0, 'call_a', '{"a":', '1}'), ...input(1, 'call_b', '{"b":', '1}')]);
  });

  it('stream decoder emits the deltas of a waiting call as they arrive once it is active', () => {
    const decoder = openaiResponses.provider.createStreamDecoder();
    const feed = (event: object) => decoder.decode({ event: 'message', data: JSON.stringify(event) });
    feed(created);
    feed(added(0, call('a')));
    expect(feed(added(1, call('b')))).toEqual([]);
    expect(feed(jsonDelta(1, '{"b":'))).toEqual([]);
    expect(typesOf(feed(done(0, call('a', '{}'))))).toEqual([
      'tool-input-delta',
      'tool-input-end',
      'tool-input-start',
      'tool-input-delta',
    ]);
    expect(feed(jsonDelta(1, '1}'))).toEqual([{ type: 'tool-input-delta', ...at(1), json: '1}' }]);
  });

  it('stream decoder ends unfinished calls at the end of the response, in their order', () => {
    expect(
      blocksOf(added(0, call('a')), added(1, call('b')), jsonDelta(1, '{}'), jsonDelta(0, '[]')),
    ).toEqual([...input(0, 'call_a', '[]'), ...input(1, 'call_b', '{}')]);
  });

  it('stream decoder distinguishes calls by item id if they have no index', () => {
    const noPlace = (event: object, item_id: string) => ({ ...event, output_index: undefined, item_id });
    expect(
      blocksOf(
        noPlace(added(0, call('a')), 'a'),
        noPlace(added(0, call('b')), 'b'),
        noPlace(jsonDelta(0, '1'), 'b'),
        noPlace(jsonDelta(0, '2'), 'a'),
        noPlace(done(0, call('a', '2')), 'a'),
        noPlace(done(0, call('b', '1')), 'b'),
      ),
    ).toEqual([...input(0, 'call_a', '2'), ...input(1, 'call_b', '1')]);
  });

  it('stream decoder accepts calls that all have the first index', () => {
    expect(
      blocksOf(added(0, call('a')), done(0, call('a', '1')), added(0, call('b')), done(0, call('b', '2'))),
    ).toEqual([...input(0, 'call_a', '1'), ...input(1, 'call_b', '2')]);
  });

  it('stream decoder reads calls of custom tools as calls with one argument', () => {
    const item = { id: 'ctc_1', type: 'custom_tool_call', call_id: 'call_1', name: 'patch', input: '' };
    const delta = (piece: string) => ({
      type: 'response.custom_tool_call_input.delta',
      output_index: 0,
      delta: piece,
    });
    const events = blocksOf(
      added(0, item),
      delta('say "'),
      delta('hi\n\ud83d'),
      delta('\ude00'),
      done(0, { ...item, input: 'say "hi\n😀' }),
    );
    const json = events.flatMap((event) => (event.type === 'tool-input-delta' ? [event.json] : [])).join('');
    expect(JSON.parse(json)).toEqual({ input: 'say "hi\n😀' });
    expect(events.at(0)).toMatchObject({ type: 'tool-input-start', id: 'call_1', name: 'patch' });
  });

  it('stream decoder accepts calls of custom tools without input', () => {
    const item = { id: 'ctc_1', type: 'custom_tool_call', call_id: 'call_1', name: 'patch', input: '' };
    const events = blocksOf(added(0, item), done(0, item));
    const json = events.flatMap((event) => (event.type === 'tool-input-delta' ? [event.json] : [])).join('');
    expect(JSON.parse(json)).toEqual({ input: '' });
  });
});

describe('T10: stream decoder: tools that the provider runs', () => {
  it.each([
    'web_search_call',
    'file_search_call',
    'code_interpreter_call',
    'image_generation_call',
    'mcp_list_tools',
    'mcp_call',
    'mcp_approval_request',
    'x_search_call',
    'tool_search_call',
    'shell_call',
    'constructor',
  ])("stream decoder ignores %s as a client's call and assigns no block number", (type) => {
    const item = { id: 'ws_1', type, name: 'search', arguments: '{"q":1}', call_id: '' };
    const blocks = blocksOf(
      added(0, item),
      { type: `response.${type}.searching`, output_index: 0, item_id: 'ws_1' },
      done(0, { ...item, status: 'completed' }),
      added(1, message('msg_1')),
      textDelta(1, 'Found.'),
      done(1, message('msg_1', 'Found.')),
    );
    expect(blocks).toEqual(text(0, 'Found.'));
  });

  it('stream decoder does not finish with tool-calls for tools that the provider runs', () => {
    const item = { id: 'ws_1', type: 'web_search_call' };
    const events = decodeEvents(created, added(0, item), done(0, item), completed());
    expect(events.at(-2)).toMatchObject({ finish: { reason: 'stop', native: 'completed' } });
  });
});

describe('stream decoder: reasoning', () => {
  const proof = { encrypted_content: 'gAAA' };
  const signature = { protocol: 'openai-responses', value: 'gAAA', id: 'rs_1' };

  it('stream decoder emits reasoning from its summary and the signature when it is done', () => {
    expect(
      blocksOf(
        added(0, thought('rs_1', { encrypted_content: 'first' })),
        summaryDelta(0, 'I '),
        summaryDelta(0, 'think'),
        done(0, thought('rs_1', { summary: [{ type: 'summary_text', text: 'I think' }], ...proof })),
      ),
    ).toEqual([
      { type: 'reasoning-start', ...at(0), isRedacted: false },
      { type: 'reasoning-delta', ...at(0), text: 'I ' },
      { type: 'reasoning-delta', ...at(0), text: 'think' },
      { type: 'reasoning-end', ...at(0), signature },
    ]);
  });

  it('stream decoder emits hidden reasoning as a signature only', () => {
    expect(blocksOf(added(0, thought('rs_1', proof)), done(0, thought('rs_1', proof)))).toEqual([
      { type: 'reasoning-start', ...at(0), isRedacted: true },
      { type: 'reasoning-end', ...at(0), signature },
    ]);
  });

  it('stream decoder ignores reasoning without text and signature', () => {
    expect(blocksOf(added(0, thought('rs_1')), done(0, thought('rs_1')))).toEqual([]);
  });

  it('stream decoder keeps several parts of reasoning separate', () => {
    const events = blocksOf(
      added(0, thought('rs_1')),
      summaryDelta(0, 'One.', 0),
      summaryDelta(0, 'Two', 1),
      summaryDelta(0, '.', 1),
      done(0, thought('rs_1')),
    );
    const words = events.map((event) => (event.type === 'reasoning-delta' ? event.text : '')).join('');
    expect(words).toBe('One.\n\nTwo.');
  });

  it('stream decoder reads reasoning text and ignores its summary', () => {
    const item = thought('rs_1', {
      content: [{ type: 'reasoning_text', text: 'I think' }],
      summary: [{ type: 'summary_text', text: 'Thoughts' }],
    });
    const expected = ['reasoning-start', 'reasoning-delta', 'reasoning-end'];
    const streamed = blocksOf(added(0, thought('rs_1')), thoughtDelta(0, 'I think'), done(0, item));
    expect(typesOf(streamed)).toEqual(expected);
    const whole = blocksOf(done(0, item));
    expect(whole).toEqual(streamed);
    expect(whole[1]).toMatchObject({ text: 'I think' });
  });

  it('stream decoder emits no signature for reasoning that breaks off, since the first is not final', () => {
    const decoded = decodeEvents(created, added(0, thought('rs_1', proof)), summaryDelta(0, 'I think'));
    expect(decoded.at(-1)).toEqual({ type: 'reasoning-end', ...at(0) });
  });

  it('stream decoder reads reasoning without a start event', () => {
    expect(typesOf(blocksOf(summaryDelta(0, 'I think')))).toEqual([
      'reasoning-start',
      'reasoning-delta',
      'reasoning-end',
    ]);
  });
});

describe('stream decoder: refusals', () => {
  it('stream decoder emits a refusal as it arrives', () => {
    const refused = {
      id: 'msg_1',
      type: 'message',
      content: [{ type: 'refusal', refusal: 'I cannot.' }],
    };
    const delta = { type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'I ' };
    const whole = { type: 'response.refusal.done', output_index: 0, content_index: 0, refusal: 'I can' };
    expect(blocksOf(added(0, message('msg_1')), delta, whole, done(0, refused))).toEqual([
      { type: 'refusal-delta', choice: 0, text: 'I ' },
      { type: 'refusal-delta', choice: 0, text: 'can' },
      { type: 'refusal-delta', choice: 0, text: 'not.' },
    ]);
  });
});

describe('stream decoder: end', () => {
  it('stream decoder emits usage, finish reason and end', () => {
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    const events = decodeEvents(created, completed({ usage }));
    expect(events.slice(1)).toEqual([
      { type: 'usage', usage: expect.objectContaining({ inputTokens: 10, outputTokens: 5 }) },
      { type: 'finish', choice: 0, finish: { reason: 'stop', native: 'completed' } },
      { type: 'end' },
    ]);
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['something_new', 'length'],
  ])('stream decoder maps the incomplete reason %s to %s', (cause, reason) => {
    const events = decodeEvents(created, {
      type: 'response.incomplete',
      response: response({ status: 'incomplete', incomplete_details: { reason: cause } }),
    });
    expect(events.at(-2)).toEqual({ type: 'finish', choice: 0, finish: { reason, native: cause } });
  });

  it.each(['response.completed', 'response.done'])(
    'stream decoder reads the end from the status of the response in %s',
    (type) => {
      const events = decodeEvents(created, { type, response: response({ status: 'completed' }) });
      expect(typesOf(events)).toEqual(['start', 'finish', 'end']);
    },
  );

  it('stream decoder reads the end from the event name if the response has no status', () => {
    const events = decodeEvents(created, { type: 'response.completed', response: { id: 'resp_1' } });
    expect(events.at(-2)).toMatchObject({ finish: { reason: 'stop', native: 'completed' } });
  });

  it('stream decoder ignores everything after the end', () => {
    const events = decodeEvents(created, completed(), created, added(0, message('m', 'more')), completed());
    expect(typesOf(events)).toEqual(['start', 'finish', 'end']);
  });

  it('stream decoder emits no end for a stream that breaks off', () => {
    const events = decodeEvents(created, added(0, message('msg_1')), textDelta(0, 'It is'));
    expect(typesOf(events)).toEqual(['start', 'text-start', 'text-delta', 'text-end']);
  });

  it.each([
    { type: 'response.queued', response: response({ status: 'queued' }) },
    { type: 'response.in_progress', response: response() },
  ])('stream decoder does not end the stream at $type', (event) => {
    expect(typesOf(decodeEvents(created, event))).toEqual(['start']);
  });
});

describe('E7: stream decoder: errors', () => {
  it.each<[shape: string, event: object]>([
    ['as documented', { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down', param: null }],
    ['as sent', { type: 'error', error: { code: 'rate_limit_exceeded', message: 'Slow down' } }],
    ['without a type', { error: { code: 'rate_limit_exceeded', message: 'Slow down' } }],
    [
      'in a failed response',
      {
        type: 'response.failed',
        response: response({
          status: 'failed',
          error: { code: 'rate_limit_exceeded', message: 'Slow down' },
        }),
      },
    ],
  ])('stream decoder reads an error (%s) and emits nothing after it', (_, event) => {
    const events = decodeEvents(
      created,
      added(0, message('msg_1')),
      textDelta(0, 'It is'),
      event,
      completed(),
    );
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'rate_limited', message: 'Slow down' });
    expect(typesOf(events)).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'error']);
  });

  it.each([
    ['server_error', 'upstream_error'],
    ['server_is_overloaded', 'upstream_overloaded'],
    ['slow_down', 'upstream_overloaded'],
    ['insufficient_quota', 'provider_out_of_credit'],
    ['invalid_api_key', 'provider_auth_failed'],
    ['context_length_exceeded', 'provider_rejected'],
  ])('stream decoder maps the error %s to %s', (code, expected) => {
    const events = decodeEvents(created, { type: 'error', code, message: 'no' });
    expect(events.at(-1)).toMatchObject({ type: 'error', code: expected, message: 'no' });
  });

  it('stream decoder keeps the usage of a failed response', () => {
    const usage = { input_tokens: 10, output_tokens: 5 };
    const events = decodeEvents(created, {
      type: 'response.failed',
      response: response({ status: 'failed', usage, error: { code: 'server_error', message: 'no' } }),
    });
    expect(typesOf(events)).toMatchObject(['start', 'usage', 'error']);
  });

  it.each([
    ['failed', null],
    ['cancelled', null],
    ['failed', 'nonsense'],
  ])('stream decoder reads a response that is %s without a message as an error (%s)', (status, error) => {
    const events = decodeEvents(created, {
      type: `response.${status}`,
      response: response({ status, error }),
    });
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'upstream_error' });
  });

  it('stream decoder reads an event that is not JSON as an error', () => {
    const decoder = openaiResponses.provider.createStreamDecoder();
    expect(decoder.decode({ event: 'message', data: '<html>' })).toMatchObject([{ type: 'error' }]);
    expect(decoder.decode({ event: 'message', data: JSON.stringify(created) })).toMatchObject([]);
    expect(decoder.end()).toMatchObject([]);
  });
});

describe('G2: stream decoder: unknown events', () => {
  it.each([
    { type: 'response.something.new', output_index: 0, delta: 'x' },
    { type: 'response.output_text.annotation.added', output_index: 0, annotation: { type: 'url_citation' } },
    { type: 'response.content_part.added', output_index: 0, part: { type: 'output_text', text: '' } },
    { type: 'keepalive' },
    { type: 7 },
    {},
  ])('stream decoder ignores %j', (event) => {
    expect(blocksOf(added(0, message('msg_1')), event, textDelta(0, 'a'), event)).toEqual(text(0, 'a'));
  });

  it.each(['', '[DONE]'])('stream decoder ignores data of %j', (data) => {
    const decoder = openaiResponses.provider.createStreamDecoder();
    expect(decoder.decode({ event: 'message', data })).toEqual([]);
  });

  it('stream decoder uses the event name if the data has no type', () => {
    const decoder = openaiResponses.provider.createStreamDecoder();
    const events = [
      { event: 'response.created', data: JSON.stringify({ response: response() }) },
      { event: 'response.output_text.delta', data: JSON.stringify({ output_index: 0, delta: 'a' }) },
      { event: 'response.completed', data: JSON.stringify({ response: response({ status: 'completed' }) }) },
    ].flatMap((event) => decoder.decode(event));
    expect(typesOf(events)).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'finish', 'end']);
  });
});
