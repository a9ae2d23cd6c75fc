import { describe, expect, it } from 'vitest';
import { createStreamDecoder } from './stream-decoder.ts';
import { decodeStream } from './testing/exchange.ts';
import {
  blockStop,
  blocksOf,
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

describe('end of a stream', () => {
  it.each([
    ['end_turn', 'stop'],
    ['pause_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['refusal', 'content-filter'],
    ['not_invented_yet', 'stop'],
  ])('stream decoder maps the stop reason %s to %s at the end of a stream', (native, reason) => {
    expect(finishOf(messageDelta(native))).toEqual({ reason, native });
  });

  it('stream decoder returns the stop sequence that was reached', () => {
    expect(finishOf(messageDelta('stop_sequence', {}, { stop_sequence: 'END' }))).toEqual({
      reason: 'stop',
      native: 'stop_sequence',
      stopSequence: 'END',
    });
  });

  it('stream decoder emits finish once', () => {
    const events = decodeStream(
      messageStart(),
      messageDelta('end_turn'),
      messageDelta('max_tokens'),
      messageStop,
    );
    expect(events.filter(({ type }) => type === 'finish')).toEqual([
      { type: 'finish', choice: 0, finish: { reason: 'stop', native: 'end_turn' } },
    ]);
  });

  it('F2: stream decoder emits the explanation of a refusal before finish', () => {
    const stop_details = { type: 'refusal', category: null, explanation: 'No.' };
    expect(
      decodeStream(messageStart(), messageDelta('refusal', {}, { stop_details }), messageStop).slice(-3),
    ).toEqual([
      { type: 'refusal-delta', choice: 0, text: 'No.' },
      { type: 'finish', choice: 0, finish: { reason: 'content-filter', native: 'refusal' } },
      { type: 'end' },
    ]);
  });

  it('G5: stream decoder closes the open block but emits neither finish nor end if the stream breaks off', () => {
    const events = decodeStream(messageStart(), textStart(0), textDelta(0, 'a'));
    expect(typesOf(events).slice(-3)).toEqual(['text-start', 'text-delta', 'text-end']);
  });

  it('G5: stream decoder emits no end if the stream breaks off before message_stop', () => {
    expect(typesOf(decodeStream(messageStart(), messageDelta('end_turn')))).not.toContain('end');
  });

  it('stream decoder closes a block that the provider did not close', () => {
    const events = blocksOf(textStart(0), textDelta(0, 'a'), toolStart(1), json(1, '{}'));
    expect(typesOf(events)).toEqual([
      'text-start',
      'text-delta',
      'text-end',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
    ]);
  });

  it('stream decoder opens a text block that the provider did not open', () => {
    expect(typesOf(blocksOf(textDelta(0, 'a'), textDelta(0, 'b'), blockStop(0)))).toEqual([
      'text-start',
      'text-delta',
      'text-delta',
      'text-end',
    ]);
    expect(blocksOf(json(3, '{}'))).toEqual([]);
  });

  it('stream decoder emits start if the provider sent no message_start', () => {
    expect(typesOf(decodeStream(textStart(0), textDelta(0, 'a')))).toEqual([
      'start',
      'text-start',
      'text-delta',
      'text-end',
    ]);
  });
});

describe('E7: errors in a stream', () => {
  it.each([
    ['overloaded_error', 'upstream_overloaded'],
    ['rate_limit_error', 'rate_limited'],
    ['api_error', 'upstream_error'],
    ['authentication_error', 'provider_auth_failed'],
    ['billing_error', 'provider_out_of_credit'],
    ['invalid_request_error', 'provider_rejected'],
    ['timeout_error', 'upstream_timeout'],
    ['not_invented_yet', 'upstream_error'],
  ])('stream decoder maps the error %s to %s and ends the stream', (type, code) => {
    const events = decodeStream(
      messageStart(),
      textStart(0),
      textDelta(0, 'a'),
      { type: 'error', error: { type, message: 'Sorry' } },
      messageDelta('end_turn'),
      messageStop,
    );
    expect(events.at(-1)).toMatchObject({ type: 'error', code, message: 'Sorry' });
    expect(typesOf(events)).not.toContain('end');
  });

  it('stream decoder accepts an error without a type or message', () => {
    const decoder = createStreamDecoder();
    expect(decoder.decode({ event: 'message', data: '{"error":{}}' })).toMatchObject([{ type: 'error' }]);
    expect(createStreamDecoder().decode({ event: 'error', data: '{}' })).toMatchObject([{ type: 'error' }]);
  });

  it.each(['{', 'null', '"text"', '[]', '{"type":"content_block_delta","delta":7}'])(
    'stream decoder emits upstream_invalid_response for invalid event data: %s',
    (data) => {
      expect(createStreamDecoder().decode({ event: 'message', data })).toMatchObject([
        { type: 'error', code: 'upstream_invalid_response' },
      ]);
    },
  );
});
