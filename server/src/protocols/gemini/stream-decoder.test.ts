import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { collectChoices } from '../translation/collect-choices.ts';
import { uncheckedSignature } from './signature.ts';
import { createStreamDecoder } from './stream-decoder.ts';
import { decodeBytes, decodeStream } from './testing/exchange.ts';

const piece = (parts?: readonly object[], rest: object = {}, answer: object = {}) => ({
  candidates: [{ ...(parts && { content: { role: 'model', parts } }), ...rest }],
  modelVersion: 'gemini-3-pro',
  responseId: 'answer-1',
  ...answer,
});
const stop = piece([{ text: '' }], { finishReason: 'STOP' });
const typesOf = (events: readonly StreamEvent[]) => events.map(({ type }) => type);
const blocksOf = (...pieces: object[]) =>
  decodeStream(...pieces, stop).filter(({ type }) => !['start', 'usage', 'finish'].includes(type));
const partsOf = (...pieces: object[]) => collectChoices(decodeStream(...pieces, stop))[0]?.parts ?? [];
const signature = (value: string) => ({ protocol: 'gemini', value });

describe('stream', () => {
  it('stream decoder emits a start event with ID, model, and time', () => {
    expect(
      decodeStream(piece([{ text: 'Hi' }], {}, { createTime: '2026-05-04T20:01:02.264968Z' }))[0],
    ).toEqual({
      type: 'start',
      id: 'answer-1',
      model: 'gemini-3-pro',
      createdAtSeconds: 1_777_924_862,
    });
  });

  it.each([
    ['no identity fields', {}],
    ['identity fields of the wrong type', { responseId: 3, modelVersion: null, createTime: 'yesterday' }],
    ['empty identity fields', { responseId: '', modelVersion: '' }],
  ])('stream decoder emits a start event without identity for a stream with %s', (_kind, identity) => {
    const [start] = decodeStream({ candidates: [], ...identity });
    expect(start).toEqual({ type: 'start', id: null, model: null, createdAtSeconds: null });
  });

  it('stream decoder emits pieces of a text as one block', () => {
    expect(blocksOf(piece([{ text: 'Half ' }]), piece([{ text: 'a ' }, { text: 'thought' }]))).toEqual([
      { type: 'text-start', choice: 0, block: 0 },
      { type: 'text-delta', choice: 0, block: 0, text: 'Half ' },
      { type: 'text-delta', choice: 0, block: 0, text: 'a ' },
      { type: 'text-delta', choice: 0, block: 0, text: 'thought' },
      { type: 'text-end', choice: 0, block: 0 },
    ]);
  });

  it('S4: stream decoder emits thoughts as reasoning', () => {
    const said = partsOf(
      piece([{ text: 'Let me ', thought: true }]),
      piece([{ text: 'see.', thought: true }]),
      piece([{ text: 'Rome.' }]),
    );
    expect(said).toEqual([
      { type: 'reasoning', text: 'Let me see.', isRedacted: false },
      { type: 'text', text: 'Rome.' },
    ]);
  });

  it('stream decoder starts a new reasoning block for thoughts after a text', () => {
    const said = partsOf(
      piece([{ text: 'a', thought: true }]),
      piece([{ text: 'b' }]),
      piece([{ text: 'c', thought: true }, { text: 'd' }]),
    );
    expect(said.map(({ type }) => type)).toEqual(['reasoning', 'text', 'reasoning', 'text']);
  });

  it('stream decoder emits nothing for empty texts', () => {
    expect(blocksOf(piece([{ text: '' }]), piece([{ text: '', thought: true }]))).toEqual([]);
  });

  it('stream decoder emits no finish without a finish reason', () => {
    expect(typesOf(decodeStream(piece([{ text: 'Hi' }])))).toEqual([
      'start',
      'text-start',
      'text-delta',
      'text-end',
    ]);
  });

  it('G5: stream decoder closes the open text but emits no finish if the stream breaks off', () => {
    const events = decodeStream(piece([{ text: 'Half a' }]), piece([{ text: ' th' }]));
    expectSound(events);
    expect(events.some(({ type }) => type === 'finish' || type === 'end')).toBe(false);
  });

  it('stream decoder emits one finish if every piece has a finish reason', () => {
    const last = { finishReason: 'STOP' };
    const events = decodeStream(piece([{ text: 'One, ' }], last), piece([{ text: 'two.' }], last));
    expect(typesOf(events)).toEqual([
      'start',
      'text-start',
      'text-delta',
      'text-delta',
      'text-end',
      'finish',
    ]);
  });

  it('stream decoder uses the last finish reason', () => {
    const events = decodeStream(
      piece([{ text: 'One' }], { finishReason: 'STOP' }),
      piece([], { finishReason: 'MAX_TOKENS' }),
      piece([{ text: '' }], { finishReason: 'FINISH_REASON_UNSPECIFIED' }),
    );
    expect(events.at(-1)).toEqual({
      type: 'finish',
      choice: 0,
      finish: { reason: 'length', native: 'MAX_TOKENS' },
    });
  });

  it('stream decoder keeps two candidates separate', () => {
    const events = decodeStream(
      piece([{ text: 'Red' }], { index: 0 }),
      piece([{ text: 'Blue' }], { index: 1 }),
      piece([{ text: ' rose' }], { index: 0, finishReason: 'STOP' }),
      piece([{ text: ' sky' }], { index: 1, finishReason: 'MAX_TOKENS' }),
    );
    expectSound(events);
    expect(collectChoices(events)).toEqual([
      { parts: [{ type: 'text', text: 'Red rose' }], finish: { reason: 'stop', native: 'STOP' } },
      { parts: [{ type: 'text', text: 'Blue sky' }], finish: { reason: 'length', native: 'MAX_TOKENS' } },
    ]);
  });

  it('stream decoder emits no finish for a candidate that has not finished', () => {
    const events = decodeStream(
      piece([{ text: 'Red' }], { index: 0, finishReason: 'STOP' }),
      piece([{ text: 'Bl' }], { index: 1 }),
    );
    expect(events.flatMap((event) => (event.type === 'finish' ? [event.choice] : []))).toEqual([0]);
    expectSound(events);
  });
});

describe('T11: tool calls', () => {
  const call = (fields: object, part: object = {}) => ({ functionCall: fields, ...part });

  it('stream decoder reads a complete call', () => {
    expect(blocksOf(piece([call({ name: 'weather', id: 'c1', args: { town: 'Rome' } })]))).toEqual([
      { type: 'tool-input-start', choice: 0, block: 0, id: 'c1', name: 'weather' },
      { type: 'tool-input-delta', choice: 0, block: 0, json: '{"town":"Rome"}' },
      { type: 'tool-input-end', choice: 0, block: 0 },
    ]);
  });

  it.each([[undefined], [null], [{}]])(
    'stream decoder reads the call arguments %j as an empty object',
    (args) => {
      expect(partsOf(piece([call({ name: 'now', args })]))).toMatchObject([{ name: 'now', arguments: '{}' }]);
    },
  );

  it('stream decoder reads several calls in one piece and across pieces', () => {
    const said = partsOf(piece([call({ name: 'a' }), call({ name: 'b' })]), piece([call({ name: 'a' })]));
    expect(said.map((part) => part.type === 'tool-call' && part.name)).toEqual(['a', 'b', 'a']);
  });

  it('T12: stream decoder returns tool-calls if there are tool calls, although Google sends STOP', () => {
    expect(decodeStream(piece([call({ name: 'a' })]), stop).at(-1)).toEqual({
      type: 'finish',
      choice: 0,
      finish: { reason: 'tool-calls', native: 'STOP' },
    });
  });

  it('stream decoder keeps the digits of long numbers in arguments', () => {
    const decoder = createStreamDecoder();
    const data =
      '{"candidates":[{"content":{"parts":[{"functionCall":{"name":"a","args":{"id":12345678901234567890}}}]}}]}';
    const events = decoder.decode({ event: 'message', data });
    expect(events).toContainEqual({
      type: 'tool-input-delta',
      choice: 0,
      block: 0,
      json: '{"id":12345678901234567890}',
    });
  });

  describe('T6: tool calls without IDs', () => {
    const idsOf = (...pieces: object[]) =>
      partsOf(...pieces).flatMap((part) => (part.type === 'tool-call' ? [part.id] : []));
    const twice = [call({ name: 'weather', args: {} }), call({ name: 'weather', args: {} })];

    it('stream decoder generates different IDs for identical calls', () => {
      const ids = idsOf(piece(twice));
      expect(new Set(ids).size).toBe(2);
      for (const id of ids) expect(id).toMatch(/^call_[a-zA-Z0-9]{24}$/);
    });

    it('stream decoder generates the same call IDs each time it decodes a response', () => {
      expect(idsOf(piece(twice))).toEqual(idsOf(piece(twice)));
    });

    it('stream decoder generates different call IDs for different responses', () => {
      const [first] = idsOf(piece(twice));
      expect(idsOf(piece(twice, {}, { responseId: 'answer-2' }))).not.toContain(first);
    });

    it('stream decoder generates different call IDs for different responses without IDs', () => {
      const nameless = (counted: number) =>
        piece(twice, {}, { responseId: undefined, usageMetadata: { promptTokenCount: counted } });
      const [first] = idsOf(nameless(10));
      expect(idsOf(nameless(20))).not.toContain(first);
    });

    it('stream decoder generates an ID for a call whose ID is empty or not a string', () => {
      expect(
        idsOf(piece([call({ name: 'a', id: '' }), call({ name: 'b', id: 7 })])).every((id) => id.length > 10),
      ).toBe(true);
    });

    it('stream decoder generates different call IDs for different candidates', () => {
      const events = decodeStream(piece(twice, { index: 0 }), piece(twice, { index: 1 }));
      const ids = events.flatMap((event) => (event.type === 'tool-input-start' ? [event.id] : []));
      expect(new Set(ids).size).toBe(4);
    });
  });

  describe('tool calls with partial arguments', () => {
    const begin = call({ name: 'weather', willContinue: true });
    const grow = (stringValue: string) =>
      call({ partialArgs: [{ jsonPath: '$.town', stringValue, willContinue: true }], willContinue: true });

    it('stream decoder emits a call when its arguments are complete', () => {
      const before = decodeStream(piece([begin]), piece([grow('Ro')]), piece([grow('me')]));
      expect(typesOf(before)).toEqual(['start']);
      expect(
        partsOf(piece([begin]), piece([grow('Ro')]), piece([grow('me')]), piece([call({})])),
      ).toMatchObject([{ name: 'weather', arguments: '{"town":"Rome"}' }]);
    });

    it('stream decoder completes a call in the last piece of the response', () => {
      const events = decodeStream(
        piece([begin]),
        piece([grow('Rome')]),
        piece([call({})], { finishReason: 'STOP' }),
      );
      expect(events.at(-1)).toMatchObject({ finish: { reason: 'tool-calls' } });
      expect(events).toContainEqual({
        type: 'tool-input-delta',
        choice: 0,
        block: 0,
        json: '{"town":"Rome"}',
      });
    });

    it('stream decoder emits an incomplete call if the response finishes without its last piece', () => {
      expect(partsOf(piece([begin]), piece([grow('Rome')]))).toMatchObject([
        { arguments: '{"town":"Rome"}' },
      ]);
    });

    it('G5: stream decoder does not emit an incomplete call if the stream breaks off', () => {
      expect(typesOf(decodeStream(piece([begin]), piece([grow('Ro')])))).toEqual(['start']);
    });

    it('stream decoder completes a call when the next one starts', () => {
      const said = partsOf(piece([begin]), piece([grow('Rome')]), piece([call({ name: 'now' })]));
      expect(said).toMatchObject([
        { name: 'weather', arguments: '{"town":"Rome"}' },
        { name: 'now', arguments: '{}' },
      ]);
    });

    it("stream decoder keeps the signature of a call's first piece", () => {
      const said = partsOf(piece([{ ...begin, thoughtSignature: 'c2ln' }]), piece([call({})]));
      expect(said).toMatchObject([{ signature: signature('c2ln') }]);
    });

    it('stream decoder ignores pieces of a call that never started', () => {
      expect(blocksOf(piece([call({})]), piece([grow('x')]), piece([call({ name: '' })]))).toEqual([]);
    });
  });
});

describe('M7: signatures', () => {
  it('stream decoder keeps the signature of a call', () => {
    const parts = [
      { functionCall: { name: 'a' }, thoughtSignature: 'Zmlyc3Q=' },
      { functionCall: { name: 'b' } },
      { functionCall: { name: 'c' }, thoughtSignature: 'dGhpcmQ=' },
    ];
    expect(partsOf(piece(parts)).map((part) => 'signature' in part && part.signature)).toEqual([
      signature('Zmlyc3Q='),
      false,
      signature('dGhpcmQ='),
    ]);
  });

  it('stream decoder emits the signature of a text as redacted reasoning', () => {
    const signed = [
      { type: 'text', text: 'Rome.' },
      { type: 'reasoning', text: '', isRedacted: true, signature: signature('c2ln') },
    ];
    expect(partsOf(piece([{ text: 'Rome.', thoughtSignature: 'c2ln' }]))).toEqual(signed);
    expect(partsOf(piece([{ text: 'Rome.' }]), piece([{ text: '', thoughtSignature: 'c2ln' }]))).toEqual(
      signed,
    );
    expect(partsOf(piece([{ text: 'Rome.' }]), piece([{ thoughtSignature: 'c2ln' }]))).toEqual(signed);
  });

  it('stream decoder keeps the signature of a thought', () => {
    const signed = [{ type: 'reasoning', text: 'Hm.', isRedacted: false, signature: signature('c2ln') }];
    expect(partsOf(piece([{ text: 'Hm.', thought: true, thoughtSignature: 'c2ln' }]))).toEqual(signed);
    expect(
      partsOf(
        piece([{ text: 'Hm.', thought: true }]),
        piece([{ text: '', thought: true, thoughtSignature: 'c2ln' }]),
      ),
    ).toEqual(signed);
  });

  it('stream decoder starts a new block after a signature', () => {
    const said = partsOf(
      piece([{ text: 'a', thought: true, thoughtSignature: 'c2ln' }]),
      piece([{ text: 'b', thought: true }]),
      piece([{ text: 'c', thoughtSignature: 'c2ln' }]),
      piece([{ text: 'd' }]),
    );
    expect(said.map((part) => [part.type, 'text' in part && part.text])).toEqual([
      ['reasoning', 'a'],
      ['reasoning', 'b'],
      ['text', 'c'],
      ['reasoning', ''],
      ['text', 'd'],
    ]);
  });

  it.each(['', 7, null, uncheckedSignature])(
    'stream decoder ignores the signature %j',
    (thoughtSignature) => {
      expect(partsOf(piece([{ text: 'a', thoughtSignature }]))).toEqual([{ type: 'text', text: 'a' }]);
    },
  );
});

describe("T10: Google's own tools", () => {
  it.each([
    [{ executableCode: { language: 'PYTHON', code: 'print(1)' }, thoughtSignature: 'c2ln' }],
    [{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } }],
    [{ toolCall: { id: 't1', toolType: 'FILE_SEARCH' }, thoughtSignature: 'c2ln' }],
    [{ toolResponse: { id: 't1', toolType: 'FILE_SEARCH' }, thoughtSignature: 'c2ln' }],
    [{ somethingNew: {} }],
  ])('stream decoder ignores %j', (part) => {
    const events = decodeStream(piece([{ text: 'One' }, part, { text: ' two' }]), stop);
    expect(typesOf(events)).toEqual([
      'start',
      'text-start',
      'text-delta',
      'text-delta',
      'text-end',
      'finish',
    ]);
    expect(events.at(-1)).toMatchObject({ finish: { reason: 'stop' } });
  });

  it('stream decoder ignores grounding metadata', () => {
    const grounding = {
      groundingMetadata: { webSearchQueries: ['q'] },
      urlContextMetadata: {},
      safetyRatings: [],
    };
    expect(partsOf(piece([{ text: 'One' }], grounding))).toEqual([{ type: 'text', text: 'One' }]);
  });
});

describe('E7: errors inside a stream', () => {
  const failure = { error: { code: 529, message: 'Overloaded', status: 'UNAVAILABLE' } };

  it('stream decoder ends with an error and closes the open block', () => {
    const events = decodeStream(piece([{ text: 'Hel' }]), failure, piece([{ text: 'lo' }]), stop);
    expect(typesOf(events)).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'error']);
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      code: 'upstream_overloaded',
      message: 'Overloaded',
    });
  });

  it('stream decoder emits an error after the finish reason instead of a finish', () => {
    const events = decodeStream(piece([{ text: 'Hello' }], { finishReason: 'STOP' }), failure);
    expect(events.some(({ type }) => type === 'finish')).toBe(false);
    expect(events.at(-1)?.type).toBe('error');
  });

  it('stream decoder recognizes an error by its SSE event name', () => {
    const [event] = createStreamDecoder().decode({ event: 'error', data: '{"message":"m"}' });
    expect(event).toMatchObject({ type: 'error', code: 'upstream_error' });
  });

  it.each(['<html>', '{"candidates":[', 'null', '[]', '3', '"words"'])(
    'stream decoder emits an error for %s instead of an event',
    (data) => {
      expect(createStreamDecoder().decode({ event: 'message', data })).toMatchObject([
        {
          type: 'error',
          code: 'upstream_error',
          message: 'The provider sent a stream event that is not JSON.',
        },
      ]);
    },
  );
});

it('stream decoder emits an error for arguments that are nested too deeply', () => {
  const data = JSON.stringify(piece([{ text: 'a' }, { functionCall: { name: 'f', args: { a: 'DEEP' } } }]));
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const events = createStreamDecoder().decode({ event: 'message', data: data.replace('"DEEP"', deep) });
  expectSound(events);
  expect(typesOf(events)).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'error']);
  expect(events.at(-1)).toMatchObject({ code: 'upstream_invalid_response' });
});

it('stream decoder emits an error for an unfinished call whose partial arguments are nested too deeply', () => {
  const partialArgs = [{ jsonPath: `$${'[0]'.repeat(50_000)}`, stringValue: 'x' }];
  const decoder = createStreamDecoder();
  const call = { functionCall: { name: 'f', partialArgs, willContinue: true } };
  const data = JSON.stringify(piece([{ text: 'a' }, call], { finishReason: 'STOP' }));
  const events = [...decoder.decode({ event: 'message', data }), ...decoder.end()];
  expectSound(events);
  expect(typesOf(events)).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'error']);
  expect(events.at(-1)).toMatchObject({ code: 'upstream_invalid_response' });
});

describe('G1, G2: wire format', () => {
  it('stream decoder accepts CRLF line endings and ignores SSE comments', () => {
    const data = JSON.stringify(piece([{ text: 'Hi' }], { finishReason: 'STOP' }));
    const bytes = Buffer.from(`: keep-alive\r\n\r\ndata:${data}\r\n\r\n: bye\r\n\r\n`);
    expect(typesOf(decodeBytes(bytes))).toEqual(['start', 'text-start', 'text-delta', 'text-end', 'finish']);
  });

  it('stream decoder joins several data lines of one event', () => {
    const lines = JSON.stringify(stop, null, 1)
      .split('\n')
      .map((line) => `data: ${line}\n`);
    expect(typesOf(decodeBytes(Buffer.from(`${lines.join('')}\n`)))).toEqual(['start', 'finish']);
  });

  it('stream decoder ignores empty events and [DONE]', () => {
    const decoder = createStreamDecoder();
    expect(decoder.decode({ event: 'message', data: '' })).toEqual([]);
    expect(decoder.decode({ event: 'message', data: '[DONE]' })).toEqual([]);
    expect(decoder.end()).toEqual([]);
  });

  it.each([
    ['no candidates', {}],
    ['candidates that are null', { candidates: null }],
    ['candidates of the wrong type', { candidates: {} }],
    ['a candidate that is null', { candidates: [null, 3] }],
    ['parts of the wrong type', { candidates: [{ content: { parts: {} } }] }],
    ['a part that is null', { candidates: [{ content: { parts: [null, 'text'] } }] }],
    [
      'a text of the wrong type',
      { candidates: [{ content: { parts: [{ text: 3 }, { functionCall: 'x' }] } }] },
    ],
    ['an unknown field', { candidates: [{ content: { parts: [] }, novelty: 1 }], novelty: 2 }],
  ])('stream decoder emits no events after the start for a piece with %s', (_kind, chunk) => {
    expect(typesOf(decodeStream(chunk))).toEqual(['start']);
  });
});
