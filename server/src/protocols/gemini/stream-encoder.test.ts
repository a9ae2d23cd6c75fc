import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { readSignature, uncheckedSignature } from './signature.ts';
import { createStreamEncoder } from './stream-encoder.ts';
import { answerContext, encodeBytes, encodePieces } from './testing/exchange.ts';

const start: StreamEvent = {
  type: 'start',
  id: 'answer-1',
  model: 'claude-opus-4-8',
  createdAtSeconds: null,
};
const at = { choice: 0, block: 0 };
const finish = (
  reason: 'stop' | 'length' | 'tool-calls' | 'content-filter' | 'error',
  choice = 0,
): StreamEvent => ({
  type: 'finish',
  choice,
  finish: { reason, native: null },
});
const usage = {
  inputTokens: 5,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 7,
  reasoningTokens: 0,
};
const end: StreamEvent = { type: 'end' };
const partsOf = (...events: StreamEvent[]) =>
  encodePieces([start, ...events]).flatMap(({ candidates }) => candidates[0]?.content.parts ?? []);

describe('stream for a caller', () => {
  it('stream encoder sends each piece immediately', () => {
    const encoder = createStreamEncoder(answerContext);
    expect(encoder.encode(start)).toBe('');
    expect(encoder.encode({ type: 'text-start', ...at })).toBe('');
    const written = encoder.encode({ type: 'text-delta', ...at, text: 'Hel' });
    expect(written).toMatch(/^data: .*\n\n$/);
    expect(JSON.parse(written.slice(6))).toEqual({
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hel' }] }, index: 0 }],
      modelVersion: 'claude-opus-4-8',
      responseId: 'answer-1',
    });
  });

  it('G3: stream encoder sends the same ID and model in all pieces and fills in missing ones', () => {
    const nameless: StreamEvent = { type: 'start', id: null, model: null, createdAtSeconds: 60 };
    const pieces = encodePieces([nameless, { type: 'text-delta', ...at, text: 'a' }, finish('stop'), end]);
    expect(
      pieces.map(({ modelVersion, responseId, createTime }) => [modelVersion, responseId, createTime]),
    ).toEqual(pieces.map(() => ['asked', 'r1', '1970-01-01T00:01:00.000Z']));
    expect(pieces).toHaveLength(2);
  });

  it('stream encoder ends with a piece that has finish reason, usage, and a part', () => {
    const pieces = encodePieces([
      start,
      { type: 'text-delta', ...at, text: 'Hi' },
      finish('stop'),
      { type: 'usage', usage },
      end,
    ]);
    expect(pieces.at(-1)).toEqual({
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 },
      modelVersion: 'claude-opus-4-8',
      responseId: 'answer-1',
    });
  });

  it('stream encoder sends only the last usage', () => {
    const told = encodePieces([
      start,
      { type: 'usage', usage: { ...usage, outputTokens: 1 } },
      { type: 'text-delta', ...at, text: 'Hi' },
      { type: 'usage', usage },
      finish('stop'),
      end,
    ]).flatMap(({ usageMetadata }) => (usageMetadata ? [usageMetadata.totalTokenCount] : []));
    expect(told).toEqual([12]);
  });

  it('G5: stream encoder sends no finish reason without an end', () => {
    const pieces = encodePieces([start, { type: 'text-delta', ...at, text: 'Half' }]);
    expect(pieces.some(({ candidates }) => candidates.some(({ finishReason }) => finishReason))).toBe(false);
  });

  it.each([
    ['stop', 'STOP'],
    ['length', 'MAX_TOKENS'],
    ['tool-calls', 'STOP'],
    ['content-filter', 'SAFETY'],
    ['error', 'OTHER'],
  ] as const)('stream encoder sends the finish %s as %s', (reason, word) => {
    expect(encodePieces([start, finish(reason), end]).at(-1)?.candidates[0]?.finishReason).toBe(word);
  });

  it('stream encoder sends reasoning as thoughts', () => {
    expect(
      partsOf(
        { type: 'reasoning-start', ...at, isRedacted: false },
        { type: 'reasoning-delta', ...at, text: 'Hm' },
        { type: 'reasoning-end', ...at },
        { type: 'text-delta', choice: 0, block: 1, text: 'Hi' },
      ),
    ).toEqual([{ text: 'Hm', thought: true }, { text: 'Hi' }]);
  });

  it('T11: stream encoder sends a call as one complete part', () => {
    expect(
      partsOf(
        { type: 'tool-input-start', ...at, id: 'c1', name: 'weather' },
        { type: 'tool-input-delta', ...at, json: '{"town":' },
        { type: 'tool-input-delta', ...at, json: '"Rome"}' },
        { type: 'tool-input-end', ...at },
        { type: 'tool-input-start', ...at, block: 1, id: 'c2', name: 'now' },
        { type: 'tool-input-end', ...at, block: 1 },
      ),
    ).toEqual([
      {
        functionCall: { id: 'c1', name: 'weather', args: { town: 'Rome' } },
        thoughtSignature: uncheckedSignature,
      },
      { functionCall: { id: 'c2', name: 'now', args: {} } },
    ]);
  });

  it('stream encoder wraps arguments that are not valid JSON', () => {
    expect(
      partsOf(
        { type: 'tool-input-start', ...at, id: 'c1', name: 'a' },
        { type: 'tool-input-delta', ...at, json: '{"town":' },
        { type: 'tool-input-end', ...at },
      ),
    ).toMatchObject([{ functionCall: { args: { invalid_arguments: '{"town":' } } }]);
  });

  it("M7: stream encoder carries signatures of other protocols after thoughts and Google's own on calls", () => {
    const made = { protocol: 'anthropic-messages', value: 'c2ln' } as const;
    const parts = partsOf(
      { type: 'reasoning-start', ...at, isRedacted: false },
      { type: 'reasoning-delta', ...at, text: 'Hm' },
      { type: 'reasoning-end', ...at, signature: made },
      { type: 'reasoning-start', ...at, block: 1, isRedacted: true },
      { type: 'reasoning-end', ...at, block: 1, signature: made },
      { type: 'tool-input-start', ...at, block: 2, id: 'c1', name: 'a' },
      { type: 'tool-input-end', ...at, block: 2, signature: { protocol: 'gemini', value: 'b3du' } },
    );
    expect(parts.map(({ text, thought }) => [text, thought])).toEqual([
      ['Hm', true],
      ['', true],
      ['', true],
      [undefined, undefined],
    ]);
    expect(parts.slice(1, 3).map(({ thoughtSignature }) => readSignature(String(thoughtSignature)))).toEqual([
      { signature: made, isRedacted: false },
      { signature: made, isRedacted: true },
    ]);
    expect(parts[3]?.thoughtSignature).toBe('b3du');
  });

  it("stream encoder sends Google's signature of redacted reasoning on an empty text", () => {
    expect(
      partsOf(
        { type: 'text-delta', ...at, text: 'Rome.' },
        { type: 'reasoning-start', choice: 0, block: 1, isRedacted: true },
        { type: 'reasoning-end', choice: 0, block: 1, signature: { protocol: 'gemini', value: 'b3du' } },
      ),
    ).toEqual([{ text: 'Rome.' }, { text: '', thoughtSignature: 'b3du' }]);
  });

  it('F2: stream encoder sends a refusal as finishMessage', () => {
    const pieces = encodePieces([
      start,
      { type: 'refusal-delta', choice: 0, text: 'I will ' },
      { type: 'refusal-delta', choice: 0, text: 'not.' },
      finish('stop'),
      end,
    ]);
    expect(pieces).toHaveLength(1);
    expect(pieces[0]?.candidates[0]).toMatchObject({ finishReason: 'SAFETY', finishMessage: 'I will not.' });
  });

  it('stream encoder keeps candidates separate and finishes them in one piece', () => {
    const pieces = encodePieces([
      start,
      { type: 'text-delta', ...at, text: 'a' },
      { type: 'text-delta', ...at, choice: 1, text: 'b' },
      finish('stop'),
      finish('length', 1),
      end,
    ]);
    expect(
      pieces.map(({ candidates }) => candidates.map(({ index, finishReason }) => [index, finishReason])),
    ).toEqual([
      [[0, undefined]],
      [[1, undefined]],
      [
        [0, 'STOP'],
        [1, 'MAX_TOKENS'],
      ],
    ]);
  });

  it("stream encoder sends an error in Google's format", () => {
    const text = encodeBytes([
      start,
      { type: 'error', code: 'upstream_timeout', message: 'Too late.' },
    ]).toString();
    expect(JSON.parse(text.slice(6))).toMatchObject({
      error: { code: 504, status: 'DEADLINE_EXCEEDED', message: 'Too late.' },
    });
  });

  it('stream encoder omits empty pieces of text', () => {
    expect(
      partsOf(
        { type: 'text-delta', ...at, text: '' },
        { type: 'reasoning-delta', ...at, text: '' },
        { type: 'reasoning-end', ...at },
        { type: 'text-end', ...at },
      ),
    ).toEqual([]);
    expect(encodePieces([start, end])).toEqual([]);
  });
});
