import { describe, expect, it } from 'vitest';
import { answerToolName } from './answer-format.ts';
import { createStreamDecoder } from './stream-decoder.ts';
import { decodeStream } from './testing/exchange.ts';
import {
  blockStart,
  blockStop,
  blocksOf,
  delta,
  finishOf,
  json,
  messageDelta,
  messageStart,
  messageStop,
  textDelta,
  textStart,
  toolStart,
  typesOf,
} from './testing/wire-events.ts';

describe('stream from a provider', () => {
  it('S1: stream decoder emits start, blocks, usage, finish, and end', () => {
    expect(
      decodeStream(
        messageStart(),
        textStart(0),
        { type: 'ping' },
        textDelta(0, 'Hel'),
        textDelta(0, 'lo'),
        blockStop(0),
        messageDelta('end_turn', { output_tokens: 7 }),
        messageStop,
      ),
    ).toEqual([
      { type: 'start', id: 'msg_1', model: 'claude-sonnet-4-5', createdAtSeconds: null },
      { type: 'usage', usage: expect.objectContaining({ inputTokens: 10, outputTokens: 1 }) },
      { type: 'text-start', choice: 0, block: 0 },
      { type: 'text-delta', choice: 0, block: 0, text: 'Hel' },
      { type: 'text-delta', choice: 0, block: 0, text: 'lo' },
      { type: 'text-end', choice: 0, block: 0 },
      { type: 'usage', usage: expect.objectContaining({ cacheReadTokens: 4, outputTokens: 7 }) },
      { type: 'finish', choice: 0, finish: { reason: 'stop', native: 'end_turn' } },
      { type: 'end' },
    ]);
  });

  it('S1: stream decoder ignores a second message_start', () => {
    const events = decodeStream(
      messageStart(),
      messageStart({ id: 'msg_2' }),
      textStart(0),
      textDelta(0, 'a'),
    );
    expect(events.filter(({ type }) => type === 'start')).toHaveLength(1);
  });

  it('G3: stream decoder returns null for an empty ID and model', () => {
    expect(decodeStream(messageStart({ id: '', model: '' }))[0]).toMatchObject({ id: null, model: null });
  });

  it('G2: stream decoder ignores unknown events, blocks, and deltas', () => {
    expect(
      blocksOf(
        { type: 'not_invented_yet', index: 'x', delta: 7 },
        blockStart(0, { type: 'not_invented_yet' }),
        textDelta(0, 'inside'),
        blockStop(0),
        textStart(1),
        delta(1, { type: 'citations_delta', citation: {} }),
        textDelta(1, 'Hi'),
        blockStop(1),
      ),
    ).toEqual([
      { type: 'text-start', choice: 0, block: 0 },
      { type: 'text-delta', choice: 0, block: 0, text: 'Hi' },
      { type: 'text-end', choice: 0, block: 0 },
    ]);
  });

  it('T10: stream decoder skips server tool blocks and does not number them', () => {
    const events = blocksOf(
      blockStart(0, { type: 'server_tool_use', id: 's', name: 'web_search', input: {} }),
      json(0, '{"query":"x"}'),
      blockStop(0),
      blockStart(1, { type: 'web_search_tool_result', tool_use_id: 's', content: [] }),
      blockStop(1),
      toolStart(2),
      blockStop(2),
    );
    expect(events).toEqual([
      { type: 'tool-input-start', choice: 0, block: 0, id: 'toolu_2', name: 'read' },
      { type: 'tool-input-end', choice: 0, block: 0 },
    ]);
  });

  it('stream decoder uses the SSE event name if the data has no type', () => {
    const decoder = createStreamDecoder();
    decoder.decode({ event: 'message_start', data: '{"message":{"id":"a","model":"b"}}' });
    expect(decoder.decode({ event: 'message_stop', data: '{}' })).toEqual([{ type: 'end' }]);
  });

  it('stream decoder ignores events after the end and foreign end markers', () => {
    const decoder = createStreamDecoder();
    const feed = (data: string) => decoder.decode({ event: 'message', data });
    feed(JSON.stringify(messageStart()));
    expect(feed('[DONE]')).toEqual([]);
    expect(feed('')).toEqual([]);
    expect(typesOf(feed('{"type":"message_stop"}'))).toEqual(['end']);
    expect(feed(JSON.stringify(textDelta(0, 'late')))).toEqual([]);
    expect(decoder.end()).toEqual([]);
  });
});

describe('tool calls in a stream', () => {
  it('T11: stream decoder emits argument fragments as they arrive and drops empty ones', () => {
    expect(blocksOf(toolStart(0), json(0, ''), json(0, '{"pa'), json(0, 'th":1}'), blockStop(0))).toEqual([
      { type: 'tool-input-start', choice: 0, block: 0, id: 'toolu_0', name: 'read' },
      { type: 'tool-input-delta', choice: 0, block: 0, json: '{"pa' },
      { type: 'tool-input-delta', choice: 0, block: 0, json: 'th":1}' },
      { type: 'tool-input-end', choice: 0, block: 0 },
    ]);
  });

  it('T11: stream decoder emits no delta for a tool call without arguments', () => {
    expect(typesOf(blocksOf(toolStart(0), json(0, ''), blockStop(0)))).toEqual([
      'tool-input-start',
      'tool-input-end',
    ]);
  });

  it('T11: stream decoder uses arguments in the start event unless fragments follow', () => {
    expect(blocksOf(toolStart(0, 'read', { a: 1 }), blockStop(0))).toContainEqual({
      type: 'tool-input-delta',
      choice: 0,
      block: 0,
      json: '{"a":1}',
    });
    const fragments = blocksOf(toolStart(0, 'read', { a: 1 }), json(0, '{"a":2}'), blockStop(0));
    expect(fragments.filter(({ type }) => type === 'tool-input-delta')).toHaveLength(1);
  });

  it('T11: stream decoder numbers calls and texts in the order they start', () => {
    const events = blocksOf(
      textStart(0),
      textDelta(0, 'a'),
      blockStop(0),
      toolStart(1),
      blockStop(1),
      toolStart(2),
      blockStop(2),
    );
    expect(events.map((event) => ('block' in event ? event.block : null))).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });

  it('T12: stream decoder derives tool-calls from the calls and not from the stop reason, except for max_tokens', () => {
    expect(finishOf(toolStart(0), blockStop(0), messageDelta('end_turn'))).toMatchObject({
      reason: 'tool-calls',
    });
    expect(finishOf(messageDelta('tool_use'))).toMatchObject({ reason: 'stop', native: 'tool_use' });
    expect(finishOf(toolStart(0), blockStop(0), messageDelta('max_tokens'))).toMatchObject({
      reason: 'length',
    });
  });

  it('stream decoder reads complete blocks in message_start', () => {
    const content = [
      { type: 'code_execution_tool_result', tool_use_id: 's', content: {} },
      { type: 'text', text: 'Hi' },
      { type: 'tool_use', id: 'toolu_1', name: 'read', input: { a: 1 } },
    ];
    expect(decodeStream(messageStart({ content, stop_reason: 'tool_use' }), messageStop).slice(2)).toEqual([
      { type: 'text-start', choice: 0, block: 0 },
      { type: 'text-delta', choice: 0, block: 0, text: 'Hi' },
      { type: 'text-end', choice: 0, block: 0 },
      { type: 'tool-input-start', choice: 0, block: 1, id: 'toolu_1', name: 'read' },
      { type: 'tool-input-delta', choice: 0, block: 1, json: '{"a":1}' },
      { type: 'tool-input-end', choice: 0, block: 1 },
      { type: 'finish', choice: 0, finish: { reason: 'tool-calls', native: 'tool_use' } },
      { type: 'end' },
    ]);
  });
});

describe('P5: response as a call of the answer tool', () => {
  it("stream decoder emits the answer tool's input as text with the finish reason stop", () => {
    const events = decodeStream(
      messageStart(),
      toolStart(0, answerToolName),
      json(0, ''),
      json(0, '{"town":'),
      json(0, '"Bern"}'),
      blockStop(0),
      messageDelta('tool_use'),
      messageStop,
    );
    expect(events.slice(2)).toEqual([
      { type: 'text-start', choice: 0, block: 0 },
      { type: 'text-delta', choice: 0, block: 0, text: '{"town":' },
      { type: 'text-delta', choice: 0, block: 0, text: '"Bern"}' },
      { type: 'text-end', choice: 0, block: 0 },
      { type: 'finish', choice: 0, finish: { reason: 'stop', native: 'tool_use' } },
      { type: 'end' },
    ]);
  });

  it('stream decoder emits an empty object for an answer tool call without fragments', () => {
    expect(blocksOf(toolStart(0, answerToolName), json(0, ''), blockStop(0))).toContainEqual({
      type: 'text-delta',
      choice: 0,
      block: 0,
      text: '{}',
    });
  });
});

describe('reasoning in a stream', () => {
  const thinkingStart = blockStart(0, { type: 'thinking', thinking: '', signature: '' });
  const signature = { protocol: 'anthropic-messages', value: 'c2lnbmVk' };

  it('S1, M7: stream decoder joins the pieces of a signature after the thinking', () => {
    expect(
      blocksOf(
        thinkingStart,
        delta(0, { type: 'thinking_delta', thinking: 'hm' }),
        delta(0, { type: 'signature_delta', signature: 'c2ln' }),
        delta(0, { type: 'signature_delta', signature: 'bmVk' }),
        blockStop(0),
      ),
    ).toEqual([
      { type: 'reasoning-start', choice: 0, block: 0, isRedacted: false },
      { type: 'reasoning-delta', choice: 0, block: 0, text: 'hm' },
      { type: 'reasoning-end', choice: 0, block: 0, signature },
    ]);
  });

  it('M7: stream decoder keeps a signature without thinking, because the next turn needs it', () => {
    expect(
      blocksOf(thinkingStart, delta(0, { type: 'signature_delta', signature: 'c2lnbmVk' }), blockStop(0)),
    ).toEqual([
      { type: 'reasoning-start', choice: 0, block: 0, isRedacted: false },
      { type: 'reasoning-end', choice: 0, block: 0, signature },
    ]);
  });

  it('M7: stream decoder reads the data of redacted thinking from the block start', () => {
    expect(blocksOf(blockStart(0, { type: 'redacted_thinking', data: 'c2lnbmVk' }), blockStop(0))).toEqual([
      { type: 'reasoning-start', choice: 0, block: 0, isRedacted: true },
      { type: 'reasoning-end', choice: 0, block: 0, signature },
    ]);
  });

  it('S7: stream decoder emits unsigned reasoning without a signature', () => {
    expect(
      blocksOf(thinkingStart, delta(0, { type: 'thinking_delta', thinking: 'hm' }), blockStop(0)),
    ).toEqual([
      { type: 'reasoning-start', choice: 0, block: 0, isRedacted: false },
      { type: 'reasoning-delta', choice: 0, block: 0, text: 'hm' },
      { type: 'reasoning-end', choice: 0, block: 0 },
    ]);
  });

  it('stream decoder drops a block with neither text nor signature', () => {
    expect(blocksOf(thinkingStart, blockStop(0), textStart(1), blockStop(1))).toEqual([]);
  });
});

describe('usage in a stream', () => {
  const last = (...events: object[]) => {
    const usage = decodeStream(...events).findLast(({ type }) => type === 'usage');
    return usage?.type === 'usage' ? usage.usage : null;
  };

  it('U3: stream decoder replaces usage with the latest counts and keeps counts that are left out', () => {
    expect(
      last(
        messageStart(),
        messageDelta('end_turn', { output_tokens: 20 }),
        messageDelta(null, { input_tokens: 900, output_tokens: 25 }),
      ),
    ).toEqual({
      inputTokens: 900,
      cacheReadTokens: 4,
      cacheWriteTokens: 0,
      outputTokens: 25,
      reasoningTokens: 0,
    });
  });

  it('U9: stream decoder reports input tokens from the first event, even if the stream breaks off', () => {
    expect(last(messageStart(), textStart(0), textDelta(0, 'a'))).toMatchObject({ inputTokens: 10 });
  });
});
