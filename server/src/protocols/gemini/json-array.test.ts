import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
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

describe('S4: streams without alt=sse', () => {
  it('array stream is one JSON array of the same pieces', () => {
    fc.assert(
      fc.property(canonicalResponse, fc.integer({ min: 1, max: 8 }), (response, textLength) => {
        const events = toEvents(response, textLength);
        const encoder = caller.createStreamEncoder(answerContext);
        const text = events.map((event) => encoder.encode(event)).join('');
        expect(JSON.parse(text)).toEqual(encodePieces(events));
      }),
      { numRuns: sampleRuns(200) },
    );
  });

  it('array stream sends each piece immediately', () => {
    const encoder = caller.createStreamEncoder(answerContext);
    const piece = (text: string) => encoder.encode({ type: 'text-delta', choice: 0, block: 0, text });
    expect(piece('a')).toMatch(/^\[\{.*\}$/);
    expect(piece('b')).toMatch(/^,\r\n\{.*\}$/);
  });

  it('array stream without pieces is an empty array', () => {
    expect(caller.createStreamEncoder(answerContext).encode({ type: 'end' })).toBe('[]');
  });

  it('array stream that breaks off ends with the error and is valid JSON', () => {
    const encoder = caller.createStreamEncoder(answerContext);
    const begun = encoder.encode({ type: 'text-delta', choice: 0, block: 0, text: 'Half' });
    const pieces = JSON.parse(begun + caller.encodeStreamError(facts, answerContext));
    expect(pieces).toMatchObject([{ candidates: [{}] }, { error: { code: 502, message: 'Gone.' } }]);
  });

  it('array stream ends with an error event of the provider and is valid JSON', () => {
    const encoder = caller.createStreamEncoder(answerContext);
    const text =
      encoder.encode({ type: 'text-delta', choice: 0, block: 0, text: 'Half' }) +
      encoder.encode({ type: 'error', code: 'upstream_error', message: 'Gone.' });
    expect(JSON.parse(text)).toMatchObject([{}, { error: { message: 'Gone.' } }]);
  });

  it('createReframer writes the pieces of a Gemini provider unchanged as array elements', () => {
    const frame = caller.createReframer?.();
    const pieces = ['{"candidates":[], "novelty": 12345678901234567890}', '{"a":"ü\\n"}'];
    const text = pieces.map((data) => frame?.({ event: 'message', data }) ?? '').join('') + caller.streamEnd;
    expect(text).toBe(`[${pieces.join(',\r\n')}]`);
    expect(JSON.parse(text)).toHaveLength(2);
  });

  it('createReframer ignores an event without data', () => {
    expect(caller.createReframer?.()({ event: 'message', data: '' })).toBe('');
  });

  it('geminiInArrays has a JSON content type and the ID gemini', () => {
    expect(caller.streamContentType).toMatch(/^application\/json/);
    expect(geminiInArrays.id).toBe('gemini');
  });

  it('geminiInArrays encodes complete responses like gemini', () => {
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
