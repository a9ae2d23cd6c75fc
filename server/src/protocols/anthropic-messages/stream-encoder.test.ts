import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { createStreamEncoder } from './stream-encoder.ts';
import { answerContext, encodeBytes, encodeFrames } from './testing/exchange.ts';

const start: StreamEvent = { type: 'start', id: 'x1', model: 'gpt-5', createdAtSeconds: 7 };
const finish = (
  reason: 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error',
  fields: object = {},
): StreamEvent => ({ type: 'finish', choice: 0, finish: { reason, native: null, ...fields } });
const end: StreamEvent = { type: 'end' };
const at = (block: number) => ({ choice: 0, block });
const textOf = (block: number, ...texts: string[]): StreamEvent[] => [
  { type: 'text-start', ...at(block) },
  ...texts.map((text): StreamEvent => ({ type: 'text-delta', ...at(block), text })),
  { type: 'text-end', ...at(block) },
];
const usage = (outputTokens: number): StreamEvent => ({
  type: 'usage',
  usage: {
    inputTokens: 10,
    cacheReadTokens: 3,
    cacheWriteTokens: 2,
    outputTokens,
    reasoningTokens: 0,
  },
});
const typesOf = (events: readonly StreamEvent[]) => encodeFrames(events).map(({ type }) => type);

describe('stream for a caller', () => {
  it('S1: stream encoder names each event after its type and keeps their order', () => {
    expect(encodeFrames([start, ...textOf(0, 'Hel', 'lo'), usage(5), finish('stop'), end])).toEqual([
      {
        type: 'message_start',
        message: {
          id: 'x1',
          type: 'message',
          role: 'assistant',
          model: 'gpt-5',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: expect.objectContaining({ input_tokens: 0, output_tokens: 0 }),
        },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: {
          input_tokens: 10,
          cache_creation_input_tokens: 2,
          cache_read_input_tokens: 3,
          output_tokens: 5,
        },
      },
      { type: 'message_stop' },
    ]);
  });

  it('S1: stream encoder ends frames with an empty line and emits them immediately', () => {
    const encoder = createStreamEncoder(answerContext);
    expect(encoder.encode(start)).toMatch(/^event: message_start\ndata: \{.*\}\n\n$/);
    expect(encoder.encode({ type: 'text-start', ...at(0) })).toBe('');
    expect(encoder.encode({ type: 'text-delta', ...at(0), text: 'a\nb' }).split('\n\n')).toHaveLength(3);
  });

  it('G3: stream encoder fills in a missing ID and model and emits message_start once', () => {
    const nobody: StreamEvent = { type: 'start', id: null, model: null, createdAtSeconds: null };
    const frames = encodeFrames([nobody, start, ...textOf(0, 'a')]);
    expect(frames[0]).toMatchObject({ message: { id: 'msg_r1', model: 'asked' } });
    expect(frames.filter(({ type }) => type === 'message_start')).toHaveLength(1);
  });

  it('stream encoder emits message_start even if the provider sent no start', () => {
    expect(typesOf(textOf(0, 'a'))[0]).toBe('message_start');
  });

  it('M3: stream encoder omits empty text blocks and does not number them', () => {
    const frames = encodeFrames([start, ...textOf(0), ...textOf(1, ''), ...textOf(2, 'a')]);
    expect(frames.map(({ type, index }) => [type, index])).toEqual([
      ['message_start', undefined],
      ['content_block_start', 0],
      ['content_block_delta', 0],
      ['content_block_stop', 0],
    ]);
  });

  it('stream encoder ignores choices other than the first', () => {
    const second = textOf(0, 'b').map((event) => ({ ...event, choice: 1 }) as StreamEvent);
    const first = textOf(0, 'a');
    expect(encodeBytes([start, ...first, ...second])).toEqual(encodeBytes([start, ...first]));
  });
});

describe('tool calls for a caller', () => {
  const call = (block: number, ...fragments: string[]): StreamEvent[] => [
    { type: 'tool-input-start', ...at(block), id: `call.${block}`, name: 'read' },
    ...fragments.map((json): StreamEvent => ({ type: 'tool-input-delta', ...at(block), json })),
    { type: 'tool-input-end', ...at(block) },
  ];

  it('T11: stream encoder sends an empty input followed by the fragments', () => {
    expect(encodeFrames([start, ...call(0, '{"a":', '', '1}')]).slice(1)).toEqual([
      {
        type: 'content_block_start',
        index: 0,
        content_block: {
          type: 'tool_use',
          id: expect.stringMatching(/^toolu_[\w-]+$/),
          name: 'read',
          input: {},
        },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"a":' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '1}' } },
      { type: 'content_block_stop', index: 0 },
    ]);
  });

  it('T11: stream encoder sends a block without deltas for a call without arguments', () => {
    expect(typesOf([start, ...call(0)])).toEqual([
      'message_start',
      'content_block_start',
      'content_block_stop',
    ]);
  });

  it('T11: stream encoder sends consecutive calls as separate blocks with separate IDs', () => {
    const frames = encodeFrames([start, ...call(0, '{}'), ...call(1, '{}')]);
    const starts = frames.filter(({ type }) => type === 'content_block_start');
    expect(starts.map(({ index }) => index)).toEqual([0, 1]);
    expect(JSON.stringify(starts[0]?.content_block)).not.toBe(JSON.stringify(starts[1]?.content_block));
  });

  it('T12: stream encoder ends with tool_use after a call, even without a finish reason', () => {
    const reasonOf = (...last: StreamEvent[]) =>
      encodeFrames([start, ...call(0), ...last]).find(({ type }) => type === 'message_delta')?.delta;
    expect(reasonOf(finish('tool-calls'), end)).toMatchObject({ stop_reason: 'tool_use' });
    expect(reasonOf(end)).toMatchObject({ stop_reason: 'tool_use' });
  });

  const signature = { protocol: 'gemini', value: 'c2ln' } as const;
  const signedCall = (...pieces: string[]): StreamEvent[] => [
    { type: 'tool-input-start', ...at(0), id: 'call_1', name: 'read' },
    ...pieces.map((json): StreamEvent => ({ type: 'tool-input-delta', ...at(0), json })),
    { type: 'tool-input-end', ...at(0), signature },
  ];
  const blocksOf = (events: readonly StreamEvent[]) =>
    encodeFrames(events).flatMap(({ content_block: block, delta = {} }) => {
      if (block) return [block.type];
      return 'signature' in delta ? [delta.signature] : [];
    });

  it.each([[[]], [['{}']], [['{"path":"a"}']]])(
    'M7: stream encoder sends the signature of a call with the arguments %j in a thinking block before it',
    (pieces) => {
      expect(blocksOf([start, ...signedCall(...pieces), end])).toEqual([
        'thinking',
        'gemini:next-call::c2ln',
        'tool_use',
      ]);
    },
  );

  it('M7: stream encoder sends a signature after a call whose arguments it has already streamed', () => {
    expect(blocksOf([start, ...signedCall('{"path":', '"a"}'), end])).toEqual([
      'tool_use',
      'thinking',
      'gemini:call::c2ln',
    ]);
  });

  it('M7: stream encoder drops the signature of a text that ends the response', () => {
    const signed: StreamEvent[] = [
      { type: 'reasoning-start', ...at(1), isRedacted: true },
      { type: 'reasoning-end', ...at(1), signature },
    ];
    expect(blocksOf([start, ...textOf(0, 'Hi'), ...signed, end])).toEqual(['text']);
    expect(blocksOf([start, ...textOf(0, 'Hi'), ...signed, ...call(2), end])).toEqual([
      'text',
      'redacted_thinking',
      'tool_use',
    ]);
  });
});

describe('reasoning for a caller', () => {
  const reasoning = (isRedacted: boolean, text: string, value?: string): StreamEvent[] => [
    { type: 'reasoning-start', ...at(0), isRedacted },
    ...(text === '' ? [] : [{ type: 'reasoning-delta', ...at(0), text } as const]),
    {
      type: 'reasoning-end',
      ...at(0),
      ...(value !== undefined && { signature: { protocol: 'anthropic-messages', value } as const }),
    },
  ];
  const framesOf = (...events: StreamEvent[]) => encodeFrames([start, ...events]).slice(1);

  it('S1: stream encoder sends the signature before content_block_stop', () => {
    expect(framesOf(...reasoning(false, 'hm', 'c2ln')).map(({ delta }) => delta?.type)).toEqual([
      undefined,
      'thinking_delta',
      'signature_delta',
      undefined,
    ]);
  });

  it('M7: stream encoder sends a block for a signature without thinking but none for empty reasoning', () => {
    expect(framesOf(...reasoning(false, '', 'c2ln'))).toHaveLength(3);
    expect(framesOf(...reasoning(false, ''))).toEqual([]);
  });

  it('M7: stream encoder sends the data of redacted thinking in the block start', () => {
    expect(framesOf(...reasoning(true, '', 'c2ln'))).toEqual([
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'redacted_thinking', data: 'c2ln' },
      },
      { type: 'content_block_stop', index: 0 },
    ]);
  });

  it('S7: stream encoder sends reasoning and the following text as separate blocks', () => {
    const frames = framesOf(...reasoning(false, 'hm'), ...textOf(1, 'a'));
    expect(frames.map(({ content_block, index }) => [content_block?.type, index])).toEqual([
      ['thinking', 0],
      [undefined, 0],
      [undefined, 0],
      ['text', 1],
      [undefined, 1],
      [undefined, 1],
    ]);
  });
});

describe('end of a stream for a caller', () => {
  const deltaOf = (...events: StreamEvent[]) =>
    encodeFrames([start, ...events]).find(({ type }) => type === 'message_delta')?.delta;

  it.each([
    [finish('stop'), 'end_turn', null],
    [finish('stop', { stopSequence: 'END' }), 'stop_sequence', 'END'],
    [finish('length'), 'max_tokens', null],
    [finish('tool-calls'), 'tool_use', null],
    [finish('content-filter'), 'refusal', null],
  ])('stream encoder sends the stop reason for %j', (event, stop_reason, stop_sequence) => {
    expect(deltaOf(event, end)).toEqual({ stop_reason, stop_sequence });
  });

  it('U3: stream encoder sends the latest usage, even if it arrives after the finish', () => {
    const frames = encodeFrames([start, usage(1), finish('stop'), usage(9), end]);
    expect(frames.at(-2)).toMatchObject({ usage: { output_tokens: 9 } });
  });

  it('F2: stream encoder sends a refusal as the explanation of the stop', () => {
    expect(
      deltaOf(
        { type: 'refusal-delta', choice: 0, text: 'I will ' },
        { type: 'refusal-delta', choice: 0, text: 'not.' },
        finish('stop'),
        end,
      ),
    ).toEqual({
      stop_reason: 'refusal',
      stop_sequence: null,
      stop_details: { type: 'refusal', category: null, explanation: 'I will not.' },
    });
  });

  it("G5: stream encoder sends no end if the provider's stream does not end", () => {
    expect(typesOf([start, ...textOf(0, 'a'), finish('stop')])).not.toContain('message_delta');
  });

  it('S1: stream encoder sends nothing after the end', () => {
    expect(typesOf([start, end, ...textOf(0, 'late'), end])).toEqual([
      'message_start',
      'message_delta',
      'message_stop',
    ]);
  });

  it('stream encoder closes the open block at the end', () => {
    const open = textOf(0, 'a').slice(0, 2);
    expect(typesOf([start, ...open, finish('stop'), end]).slice(-3)).toEqual([
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it('E7: stream encoder ends the stream after an error', () => {
    const failure: StreamEvent = { type: 'error', code: 'upstream_overloaded', message: 'Overloaded' };
    const frames = encodeFrames([start, ...textOf(0, 'a').slice(0, 2), failure, finish('stop'), end]);
    expect(frames.at(-1)).toEqual({
      type: 'error',
      error: { type: 'overloaded_error', message: 'Overloaded' },
      request_id: 'r1',
    });
    expect(frames.map(({ type }) => type)).not.toContain('message_stop');
  });

  it('E7: stream encoder sends an error before the start as the only event', () => {
    expect(typesOf([{ type: 'error', code: 'upstream_error', message: 'x' }])).toEqual(['error']);
  });

  it('stream encoder sends an error for the finish reason error', () => {
    const frames = encodeFrames([start, finish('error', { native: 'MALFORMED_FUNCTION_CALL' }), end]);
    expect(frames.at(-1)).toMatchObject({
      type: 'error',
      error: { message: expect.stringContaining('MALFORMED_FUNCTION_CALL') },
    });
  });
});
