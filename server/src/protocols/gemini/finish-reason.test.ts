import { FinishReason } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { readFinish, readNativeReason, writeFinishReason } from './candidate-decoder.ts';
import { answerOf, decodeAnswer, decodeStream } from './testing/exchange.ts';

describe('F: finish reasons', () => {
  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['RECITATION', 'content-filter'],
    ['LANGUAGE', 'content-filter'],
    ['BLOCKLIST', 'content-filter'],
    ['PROHIBITED_CONTENT', 'content-filter'],
    ['SPII', 'content-filter'],
    ['IMAGE_SAFETY', 'content-filter'],
    ['MODEL_ARMOR', 'content-filter'],
    ['ESCALATION', 'content-filter'],
    ['PUP_LIMITED_DISABLED', 'content-filter'],
    ['CONTINUATION', 'length'],
    ['MALFORMED_FUNCTION_CALL', 'error'],
    ['UNEXPECTED_TOOL_CALL', 'error'],
    ['OTHER', 'error'],
    ['SOMETHING_NEW', 'stop'],
    ['constructor', 'stop'],
  ])('readFinish maps %s to %s and keeps the native reason', (native, reason) => {
    expect(readFinish(native, false)).toEqual({ reason, native });
  });

  it("readFinish knows every finish reason of Google's SDK", () => {
    const known = Object.values(FinishReason).filter((reason) => !/^(STOP|.*_UNSPECIFIED)$/.test(reason));
    expect(known.filter((reason) => readFinish(reason, false).reason === 'stop')).toEqual([]);
    expect(known.length).toBeGreaterThan(15);
  });

  it('T12: readFinish returns tool-calls if there are tool calls, although Google sends STOP', () => {
    expect(readFinish('STOP', true)).toEqual({ reason: 'tool-calls', native: 'STOP' });
    expect(readFinish('SOMETHING_NEW', true).reason).toBe('tool-calls');
  });

  it.each(['MAX_TOKENS', 'SAFETY', 'UNEXPECTED_TOOL_CALL'])(
    'readFinish keeps the finish reason %s despite tool calls',
    (native) => {
      expect(readFinish(native, true)).toEqual(readFinish(native, false));
    },
  );

  it.each([
    [1, 'STOP'],
    [2, 'MAX_TOKENS'],
    [3, 'SAFETY'],
    [4, 'RECITATION'],
    [5, 'OTHER'],
    [8, 'PROHIBITED_CONTENT'],
    [10, 'MALFORMED_FUNCTION_CALL'],
    [12, 'UNEXPECTED_TOOL_CALL'],
  ])('readNativeReason reads the number %i as %s', (value, word) => {
    expect(readNativeReason(value)).toBe(word);
  });

  it.each([0, -1, 99, '', 'FINISH_REASON_UNSPECIFIED', null, undefined, {}])(
    'readNativeReason returns null for %j',
    (value) => {
      expect(readNativeReason(value)).toBeNull();
    },
  );

  it.each([
    [{ reason: 'stop', native: 'end_turn' }, 'STOP'],
    [{ reason: 'stop', native: null }, 'STOP'],
    [{ reason: 'length', native: 'length' }, 'MAX_TOKENS'],
    [{ reason: 'tool-calls', native: 'tool_use' }, 'STOP'],
    [{ reason: 'tool-calls', native: 'STOP' }, 'STOP'],
    [{ reason: 'content-filter', native: 'refusal' }, 'SAFETY'],
    [{ reason: 'content-filter', native: 'RECITATION' }, 'RECITATION'],
    [{ reason: 'error', native: 'MALFORMED_FUNCTION_CALL' }, 'MALFORMED_FUNCTION_CALL'],
    [{ reason: 'error', native: null }, 'OTHER'],
    // A block reason of a prompt may not be a valid finish reason of a candidate.
    [{ reason: 'content-filter', native: 'OTHER' }, 'SAFETY'],
  ] as const)('writeFinishReason encodes %j as %s', (finish, word) => {
    expect(writeFinishReason(finish)).toBe(word);
  });
});

describe('F1: empty responses', () => {
  const blocked = {
    promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
    modelVersion: 'm',
    responseId: 'r',
  };

  it('decodeResponse returns content-filter for a blocked prompt without candidates', () => {
    expect(decodeAnswer(blocked)?.choices).toEqual([
      { parts: [], finish: { reason: 'content-filter', native: 'PROHIBITED_CONTENT' } },
    ]);
  });

  it('stream decoder returns content-filter for a blocked prompt', () => {
    expect(decodeStream(blocked)).toEqual([
      { type: 'start', id: 'r', model: 'm', createdAtSeconds: null },
      { type: 'finish', choice: 0, finish: { reason: 'content-filter', native: 'PROHIBITED_CONTENT' } },
    ]);
  });

  it('decodeResponse and the stream decoder return the message of a blocked prompt as a refusal', () => {
    const told = {
      ...blocked,
      promptFeedback: { blockReason: 'MODEL_ARMOR', blockReasonMessage: 'Not this.' },
    };
    expect(decodeAnswer(told)?.choices[0]?.parts).toEqual([{ type: 'refusal', text: 'Not this.' }]);
    expect(decodeStream(told)[1]).toEqual({ type: 'refusal-delta', choice: 0, text: 'Not this.' });
  });

  it('decodeResponse ignores safety ratings without a block reason', () => {
    const rated = { ...answerOf([{ text: 'Yes.' }]), promptFeedback: { safetyRatings: [] } };
    expect(decodeAnswer(rated)?.choices[0]?.finish.reason).toBe('stop');
  });

  it.each([
    ['no content', { finishReason: 'SAFETY' }],
    ['empty content', { content: {}, finishReason: 'SAFETY' }],
    ['content that is null', { content: null, finishReason: 'SAFETY' }],
    ['parts that are null', { content: { parts: null }, finishReason: 'SAFETY' }],
    ['no parts', { content: { role: 'model', parts: [] }, finishReason: 'SAFETY' }],
  ])('decodeResponse reads a candidate with %s as filtered content', (_kind, candidate) => {
    expect(decodeAnswer({ candidates: [candidate] })?.choices).toEqual([
      { parts: [], finish: { reason: 'content-filter', native: 'SAFETY' } },
    ]);
  });

  it('decodeResponse returns finishMessage as a refusal only for filtered content', () => {
    const message = { finishMessage: 'Model generated function call(s).' };
    const parts = (finishReason: string) =>
      decodeAnswer({ candidates: [{ finishReason, ...message }] })?.choices[0]?.parts;
    expect(parts('STOP')).toEqual([]);
    expect(parts('UNEXPECTED_TOOL_CALL')).toEqual([]);
    expect(parts('SAFETY')).toEqual([{ type: 'refusal', text: message.finishMessage }]);
  });
});
