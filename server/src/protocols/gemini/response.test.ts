import { describe, expect, it } from 'vitest';
import type { AssistantPart } from '../canonical/content.ts';
import type { Finish } from '../canonical/response.ts';
import { decodeResponse } from './response.ts';
import { readSignature, uncheckedSignature } from './signature.ts';
import { answerOf, decodeAnswer, writeAnswer } from './testing/exchange.ts';

const stop: Finish = { reason: 'stop', native: null };
const written = (parts: readonly AssistantPart[], finish: Finish = stop) =>
  writeAnswer({ id: null, model: null, createdAtSeconds: null, choices: [{ parts, finish }], usage: null });
const partsOf = (...parts: AssistantPart[]) => written(parts).candidates[0]?.content.parts;

describe('response from a provider', () => {
  it('decodeResponse returns ID, model, time, content, finish, and usage', () => {
    const answer = answerOf([{ text: 'Let me see.', thought: true }, { text: 'Rome.' }], 'STOP', {
      usageMetadata: {
        promptTokenCount: 4,
        candidatesTokenCount: 2,
        thoughtsTokenCount: 3,
        totalTokenCount: 9,
      },
      createTime: '2026-05-27T16:53:45.443719Z',
    });
    expect(decodeAnswer(answer)).toEqual({
      id: 'answer-1',
      model: 'gemini-2.5-flash',
      createdAtSeconds: 1_779_900_825,
      choices: [
        {
          parts: [
            { type: 'reasoning', text: 'Let me see.', isRedacted: false },
            { type: 'text', text: 'Rome.' },
          ],
          finish: { reason: 'stop', native: 'STOP' },
        },
      ],
      usage: { inputTokens: 4, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 5, reasoningTokens: 3 },
    });
  });

  it('decodeResponse sorts several candidates by index', () => {
    const candidate = (index: number, text: string) => ({
      index,
      content: { parts: [{ text }] },
      finishReason: 'STOP',
    });
    const choices = decodeAnswer({ candidates: [candidate(1, 'b'), candidate(0, 'a')] })?.choices;
    expect(choices?.map(({ parts }) => parts)).toEqual([
      [{ type: 'text', text: 'a' }],
      [{ type: 'text', text: 'b' }],
    ]);
  });

  it('decodeResponse reads a list of pieces', () => {
    const answer = decodeAnswer([
      { candidates: [{ content: { parts: [{ text: 'Va' }] } }], responseId: 'r' },
      { candidates: [{ content: { parts: [{ text: 'st' }] }, finishReason: 1 }], responseId: 'r' },
    ]);
    expect(answer).toMatchObject({
      id: 'r',
      choices: [{ parts: [{ text: 'Vast' }], finish: { reason: 'stop' } }],
    });
  });

  it('decodeResponse keeps the digits of long numbers in a call', () => {
    const body =
      '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"a","args":{"n":0.1234567890123456789}}}]}}]}';
    expect(decodeResponse(Buffer.from(body))?.choices[0]?.parts).toMatchObject([
      { arguments: '{"n":0.1234567890123456789}' },
    ]);
  });

  it('decodeResponse maps a missing finish reason to stop', () => {
    expect(
      decodeAnswer({ candidates: [{ content: { parts: [{ text: 'a' }] } }] })?.choices[0]?.finish.reason,
    ).toBe('stop');
  });

  it('decodeResponse returns null for arguments that are nested too deeply', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const body = JSON.stringify(answerOf([{ functionCall: { name: 'f', args: { a: 'DEEP' } } }]));
    expect(decodeResponse(Buffer.from(body.replace('"DEEP"', deep)))).toBeNull();
  });

  it.each([
    ['HTML', '<html><body>Bad gateway</body></html>'],
    ['an empty body', ''],
    ['null', 'null'],
    ['a string', '"hello"'],
    ['an empty object', '{}'],
    ['an empty list', '[]'],
    [
      'a body with neither candidate nor block',
      '{"candidates":[],"usageMetadata":{"promptTokenCount":3},"modelVersion":"m"}',
    ],
    ['a response of another protocol', '{"choices":[{"message":{"content":"hi"}}]}'],
    ['half a response', '{"candidates":[{"content":{"parts":[{"te'],
  ])('decodeResponse returns null for %s', (_kind, body) => {
    expect(decodeResponse(Buffer.from(body))).toBeNull();
  });
});

describe('response for a caller', () => {
  it("encodeResponse returns Google's format and fills in a missing ID and model", () => {
    expect(written([{ type: 'text', text: 'Rome.' }])).toEqual({
      candidates: [
        { content: { role: 'model', parts: [{ text: 'Rome.' }] }, finishReason: 'STOP', index: 0 },
      ],
      modelVersion: 'asked',
      responseId: 'r1',
    });
  });

  it('encodeResponse sends no parts for an empty response', () => {
    expect(written([], { reason: 'content-filter', native: null }).candidates).toEqual([
      { content: { role: 'model' }, finishReason: 'SAFETY', index: 0 },
    ]);
  });

  it('F2: encodeResponse sends a refusal as finishMessage', () => {
    const [candidate] = written([
      { type: 'text', text: 'Well.' },
      { type: 'refusal', text: 'I will not.' },
    ]).candidates;
    expect(candidate).toEqual({
      content: { role: 'model', parts: [{ text: 'Well.' }] },
      finishReason: 'SAFETY',
      finishMessage: 'I will not.',
      index: 0,
    });
  });

  it('T5: encodeResponse sends arguments as an object', () => {
    const call = (id: string, json: string): AssistantPart => ({
      type: 'tool-call',
      id,
      name: 'f',
      arguments: json,
    });
    const parts = partsOf(
      call('1', '{"a":1}'),
      call('2', ''),
      call('3', 'null'),
      call('4', '[1]'),
      call('5', '{"a":'),
    );
    expect(parts?.map(({ functionCall }) => functionCall)).toEqual([
      { id: '1', name: 'f', args: { a: 1 } },
      { id: '2', name: 'f', args: {} },
      { id: '3', name: 'f', args: {} },
      { id: '4', name: 'f', args: { value: [1] } },
      { id: '5', name: 'f', args: { invalid_arguments: '{"a":' } },
    ]);
  });

  it('M7: encodeResponse marks only the first unsigned call as unchecked', () => {
    const call: AssistantPart = { type: 'tool-call', id: '1', name: 'f', arguments: '{}' };
    expect(partsOf(call, call)?.map(({ thoughtSignature }) => thoughtSignature)).toEqual([
      uncheckedSignature,
      undefined,
    ]);
  });

  it('M7: encodeResponse carries signatures of other protocols', () => {
    const made = { protocol: 'openai-responses', value: 'encrypted', id: 'rs_1' } as const;
    const parts = partsOf(
      { type: 'reasoning', text: 'Hm', isRedacted: false, signature: made },
      { type: 'reasoning', text: '', isRedacted: true, signature: made },
      { type: 'tool-call', id: '1', name: 'f', arguments: '{}', signature: made },
    );
    expect(parts?.map(({ thoughtSignature }) => readSignature(String(thoughtSignature)))).toEqual([
      { signature: made, isRedacted: false },
      { signature: made, isRedacted: true },
      { signature: made, isRedacted: false },
    ]);
  });

  it('encodeResponse omits reasoning without text and signature', () => {
    expect(
      partsOf({ type: 'reasoning', text: '', isRedacted: false }, { type: 'text', text: '' }),
    ).toBeUndefined();
  });
});
