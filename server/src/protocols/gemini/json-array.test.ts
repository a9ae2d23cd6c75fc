import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toEvents } from '../openai-chat/testing/canonical-values.ts';
import { geminiInArrays } from './index.ts';
import { canonicalResponse } from './testing/canonical-values.ts';
import { answerContext, encodePieces, writeAnswer } from './testing/exchange.ts';

const { caller } = geminiInArrays;
const facts = {
  code: 'upstream_error',
  providerCode: null,
  status: 502,
  message: 'Gone.',
  param: null,
} as const;

describe('S4: a stream for callers who leave out alt=sse', () => {
  it('is one JSON array of the very pieces', () => {
    fc.assert(
      fc.property(canonicalResponse, fc.integer({ min: 1, max: 8 }), (response, textLength) => {
        const events = toEvents(response, textLength);
        const encoder = caller.createStreamEncoder(answerContext);
        const text = events.map((event) => encoder.encode(event)).join('');
        expect(JSON.parse(text)).toEqual(encodePieces(events));
      }),
      { numRuns: 200 },
    );
  });

  it('each piece leaves as soon as it is there', () => {
    const encoder = caller.createStreamEncoder(answerContext);
    const piece = (text: string) => encoder.encode({ type: 'text-delta', choice: 0, block: 0, text });
    expect(piece('a')).toMatch(/^\[\{.*\}$/);
    expect(piece('b')).toMatch(/^,\r\n\{.*\}$/);
  });

  it('of nothing is an empty array', () => {
    expect(caller.createStreamEncoder(answerContext).encode({ type: 'end' })).toBe('[]');
  });

  it('that breaks ends in the error, and is still JSON', () => {
    const encoder = caller.createStreamEncoder(answerContext);
    const begun = encoder.encode({ type: 'text-delta', choice: 0, block: 0, text: 'Half' });
    const pieces = JSON.parse(begun + caller.encodeStreamError(facts, 'r1'));
    expect(pieces).toMatchObject([{ candidates: [{}] }, { error: { code: 502, message: 'Gone.' } }]);
  });

  it('that the provider breaks by an event does so too', () => {
    const encoder = caller.createStreamEncoder(answerContext);
    const text =
      encoder.encode({ type: 'text-delta', choice: 0, block: 0, text: 'Half' }) +
      encoder.encode({ type: 'error', code: 'upstream_error', message: 'Gone.' });
    expect(JSON.parse(text)).toMatchObject([{}, { error: { message: 'Gone.' } }]);
  });

  it('of a provider of the same protocol is framed anew, its pieces as they came', () => {
    const frame = caller.createReframer?.();
    const pieces = ['{"candidates":[], "novelty": 12345678901234567890}', '{"a":"ü\\n"}'];
    const text = pieces.map((data) => frame?.({ event: 'message', data }) ?? '').join('') + caller.streamEnd;
    expect(text).toBe(`[${pieces.join(',\r\n')}]`);
    expect(JSON.parse(text)).toHaveLength(2);
  });

  it('an event without data is no piece', () => {
    expect(caller.createReframer?.()({ event: 'message', data: '' })).toBe('');
  });

  it('says what it is', () => {
    expect(caller.streamContentType).toMatch(/^application\/json/);
    expect(geminiInArrays.id).toBe('gemini');
  });

  it('all else is the same', () => {
    const response = {
      id: 'a',
      model: 'm',
      createdAtSeconds: null,
      choices: [{ parts: [], finish: { reason: 'stop', native: null } as const }],
      usage: null,
    };
    expect(caller.encodeResponse(response, answerContext)).toEqual(writeAnswer(response));
  });
});
