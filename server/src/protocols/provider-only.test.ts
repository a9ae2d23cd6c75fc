import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import { garble } from '#test/providers/garbled-streams.ts';
import { replayGarbled, replayStream } from '#test/providers/replay-stream.ts';
import { readOllamaCases } from '#test/requests/ollama-cases.ts';
import {
  callerProtocols,
  collectAnswer,
  passStream,
  passWhole,
  summarize,
} from '#test/requests/through-callers.ts';
import { readWireCases, type WireCase, writeNdjson, writeSse } from '#test/requests/wire-cases.ts';
import type { CanonicalResponse } from './canonical/response.ts';
import * as cohereExchange from './cohere/testing/exchange.ts';
import * as cohereAnswers from './cohere/testing/write-answer.ts';
import * as ollamaExchange from './ollama/testing/exchange.ts';
import * as ollamaAnswers from './ollama/testing/write-answer.ts';
import { canonicalRequest } from './openai-chat/testing/canonical-values.ts';
import { protocols } from './registry.ts';
import { expectSound } from './testing/expect-sound.ts';
import { plainAnswer } from './testing/plain-answers.ts';

/** Protocols that only providers use, with the differences that the tests need. */
const sides = [
  {
    ...protocols.cohere,
    writeWhole: cohereAnswers.writeWhole,
    writeStream: cohereAnswers.writeStream,
    encodingProblem: cohereExchange.encodingProblem,
    cases: readWireCases('cohere').filter(({ endpoint }) => endpoint === 'chat'),
    write: writeSse,
    withoutEnd: ({ sse = [], ...response }: WireCase['response']) => ({
      ...response,
      sse: sse.filter((event) => !event.includes('message-end')),
    }),
    marks: [
      ...['"type":"message-end"', '"index":-1', '"delta":null', '"tool_calls":[{}]', '"content":"text"'],
      ...['"arguments":{', 'event: error\n'],
    ],
    reduce: (answer: CanonicalResponse) => answer,
  },
  {
    ...protocols.ollama,
    writeWhole: ollamaAnswers.writeWhole,
    writeStream: ollamaAnswers.writeStream,
    encodingProblem: ollamaExchange.encodingProblem,
    cases: readOllamaCases(),
    write: writeNdjson,
    withoutEnd: ({ ndjson = [], ...response }: WireCase['response']) => ({
      ...response,
      ndjson: ndjson.slice(0, -1),
    }),
    marks: [
      ...['"done":true', '"done":"yes"', '"message":null', '"tool_calls":[{}]', '"arguments":"{"'],
      ...['"error":{}', '"created_at":7'],
    ],
    /** Ollama reports neither ids nor cached nor reasoning tokens. */
    reduce: ({ usage, ...answer }: CanonicalResponse) => ({
      ...answer,
      id: null,
      usage: usage && {
        ...usage,
        inputTokens: usage.inputTokens + usage.cacheReadTokens,
        cacheReadTokens: 0,
        reasoningTokens: 0,
      },
    }),
  },
];
const pieceLength = fc.integer({ min: 1, max: 8 });
const isStream = ({ response }: WireCase) => response.sse !== undefined || response.ndjson !== undefined;
const isBroken = ({ features }: WireCase) =>
  features.includes('midstream_error') || features.includes('truncated_stream');
const listCases = (isWanted: (wireCase: WireCase) => boolean) =>
  sides.flatMap((side) => side.cases.filter(isWanted).map((wireCase) => ({ ...wireCase, ...side })));

describe.each(sides)('provider protocol $id', ({ id, provider, reduce, writeWhole, writeStream }) => {
  it(`decodeResponse of ${id} restores any complete response`, () => {
    fc.assert(
      fc.property(plainAnswer, (written) => {
        const answer = reduce(written);
        const decoded = provider.decodeResponse(writeWhole(written))!;
        expect(decoded.id).toBe(answer.id);
        expect(decoded.choices[0]?.parts).toEqual(answer.choices[0]?.parts);
        expect(summarize(decoded)).toEqual(summarize(answer));
      }),
      { numRuns: sampleRuns(500) },
    );
  });

  it(`the stream decoder of ${id} returns the same as decodeResponse for any response and chunk size`, () => {
    fc.assert(
      fc.property(plainAnswer, pieceLength, (answer, length) => {
        const events = replayStream(provider, writeStream(answer, length));
        expectSound(events);
        expect(collectAnswer(events)).toEqual(provider.decodeResponse(writeWhole(answer)));
      }),
      { numRuns: sampleRuns(500) },
    );
  });

  it.each(callerProtocols)(`any response of ${id} is equivalent for a caller of $id`, (caller) => {
    fc.assert(
      fc.property(plainAnswer, pieceLength, (written, length) => {
        const answer = provider.decodeResponse(writeWhole(written))!;
        expect(summarize(passWhole(caller, answer))).toEqual(summarize(answer));
        const events = replayStream(provider, writeStream(written, length));
        const streamed = collectAnswer(passStream(caller, events));
        expect(summarize(streamed)).toEqual(summarize(collectAnswer(events)));
      }),
      { numRuns: sampleRuns(200) },
    );
  });
});

it.each(sides)(
  'encodeRequest of $id encodes any request or names the field to reject',
  ({ encodingProblem }) => {
    fc.assert(
      fc.property(canonicalRequest, (request) => {
        const problem = encodingProblem(request);
        if (problem) expect(problem).toMatchObject({ code: 'invalid_request', param: expect.any(String) });
      }),
      { numRuns: sampleRuns(500) },
    );
  },
);

it.each(sides)('the stream decoder of $id reads garbled streams without throwing', (side) => {
  const { provider, cases, write, writeStream, marks } = side;
  const recorded = cases.filter(isStream).map(({ response }) => write(response));
  const short = recorded.filter(({ length }) => length < 20_000);
  const generated = fc.tuple(plainAnswer, pieceLength).map((input) => writeStream(...input));
  fc.assert(
    fc.property(garble(fc.oneof(generated, fc.constantFrom(...short)), marks), (bytes) => {
      const events = replayGarbled(provider, bytes);
      expectSound(events);
      for (const protocol of callerProtocols) passStream(protocol, events);
    }),
    { numRuns: sampleRuns(1_000) },
  );
});

it.each(listCases(({ response }) => response.status === 200 && response.body !== undefined))(
  'recorded response $name of $id is equivalent for every caller',
  ({ provider, response }) => {
    const answer = provider.decodeResponse(Buffer.from(JSON.stringify(response.body)))!;
    for (const protocol of callerProtocols)
      expect.soft(summarize(passWhole(protocol, answer)), protocol.id).toEqual(summarize(answer));
  },
);

it.each(listCases(isStream))(
  'recorded stream $name of $id is sound, and yields the same events for any chunk size',
  ({ provider, response, write }) => {
    const bytes = write(response);
    const events = replayStream(provider, bytes);
    expectSound(events);
    for (const pieceBytes of [1, 2, 3, 7, 61, 1_021])
      expect.soft(replayStream(provider, bytes, pieceBytes), `${pieceBytes} bytes`).toEqual(events);
  },
);

it.each(listCases((wireCase) => isStream(wireCase) && !isBroken(wireCase)))(
  'recorded stream $name of $id is equivalent for every caller, and has no end if the provider sent none',
  ({ provider, response, write, withoutEnd }) => {
    const events = replayStream(provider, write(response));
    const answer = summarize(collectAnswer(events));
    for (const protocol of callerProtocols)
      expect.soft(summarize(collectAnswer(passStream(protocol, events))), protocol.id).toEqual(answer);
    const cut = replayStream(provider, write(withoutEnd(response)));
    expect.soft(cut.filter(({ type }) => type === 'end' || type === 'finish')).toEqual([]);
    expectSound(cut);
  },
);

it.each(listCases(isBroken))(
  'recorded stream $name of $id is decoded up to where it broke off, without a finish or an end',
  ({ provider, response, features, write }) => {
    const events = replayStream(provider, write(response));
    expect.soft(events.filter(({ type }) => type === 'end' || type === 'finish')).toEqual([]);
    expect.soft(events.some(({ type }) => type === 'error')).toBe(features.includes('midstream_error'));
    expect.soft(collectAnswer(events).choices[0]?.parts).not.toEqual([]);
  },
);

it.each(listCases(({ response }) => response.status >= 400))(
  'recorded error $name of $id is not decoded as a response',
  ({ provider, response }) => {
    const decoded = provider.decodeResponse(Buffer.from(JSON.stringify(response.body)));
    expect(decoded?.choices ?? []).toEqual([]);
  },
);
