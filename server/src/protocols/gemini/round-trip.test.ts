import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import { SseSplitter } from '#upstream/sse.ts';
import type { AssistantPart, Message } from '../canonical/content.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { toEvents } from '../openai-chat/testing/canonical-values.ts';
import type { Protocol } from '../protocol.ts';
import { protocols } from '../registry.ts';
import { collectChoices } from '../translation/collect-choices.ts';
import { parseRequest } from './read-request.ts';
import { decodeResponse, encodeResponse } from './response.ts';
import { canonicalRequest, canonicalResponse } from './testing/canonical-values.ts';
import {
  answerContext,
  decodeBytes,
  encodeBytes,
  encodeFor,
  makeRequest,
  thirdGeneration,
} from './testing/exchange.ts';

const summarize = (events: readonly StreamEvent[]) => ({
  start: events.find(({ type }) => type === 'start'),
  choices: collectChoices(events),
  usage: events.findLast((event) => event.type === 'usage')?.usage ?? null,
});

const parse = (body: object) => {
  const path = { model: thirdGeneration, isStream: false };
  const parsed = parseRequest(Buffer.from(JSON.stringify(body)), path);
  return parsed.ok ? parsed.request.toCanonical() : parsed;
};

describe('encoding and decoding round trip', () => {
  it('a request is unchanged after encoding and decoding', () => {
    fc.assert(
      fc.property(canonicalRequest, (request) => {
        const { body, warnings } = encodeFor(thirdGeneration, request);
        expect(warnings).toEqual([]);
        expect(parse(body)).toEqual({ ok: true, request });
      }),
      { numRuns: sampleRuns(500) },
    );
  });

  it('a complete response is unchanged after encoding and decoding', () => {
    fc.assert(
      fc.property(canonicalResponse, (response) => {
        const body = Buffer.from(JSON.stringify(encodeResponse(response, answerContext)));
        expect(decodeResponse(body)).toMatchObject(response);
      }),
      { numRuns: sampleRuns(500) },
    );
  });

  it('a stream is unchanged after encoding and decoding for any chunk size', () => {
    fc.assert(
      fc.property(
        canonicalResponse,
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 1, max: 400 }),
        (response, textLength, pieceLength) => {
          const events = toEvents(response, textLength);
          expect(summarize(decodeBytes(encodeBytes(events), pieceLength))).toEqual(summarize(events));
        },
      ),
      { numRuns: sampleRuns(500) },
    );
  });
});

it('a stream has the same content as the complete response', () => {
  fc.assert(
    fc.property(canonicalResponse, fc.integer({ min: 1, max: 8 }), (response, textLength) => {
      const { choices, usage } = summarize(decodeBytes(encodeBytes(toEvents(response, textLength))));
      const whole = decodeResponse(Buffer.from(JSON.stringify(encodeResponse(response, answerContext))));
      expect({ choices, usage }).toEqual({ choices: whole?.choices, usage: whole?.usage });
    }),
    { numRuns: sampleRuns(300) },
  );
});

it('pieces of a stream that a caller sends back are decoded to the original response', () => {
  fc.assert(
    fc.property(canonicalResponse, fc.integer({ min: 1, max: 8 }), (response, textLength) => {
      const [choice] = response.choices;
      const said = (choice?.parts ?? []).filter(({ type }) => type !== 'refusal');
      const pieces = new SseSplitter()
        .feed(encodeBytes(toEvents({ ...response, choices: response.choices.slice(0, 1) }, textLength)))
        .map(({ data }) => JSON.parse(data).candidates?.[0]?.content)
        .filter((content) => content !== undefined);
      const contents = [{ role: 'user', parts: [{ text: 'Go' }] }, ...pieces];
      const decoded = parse({ contents });
      if (!('request' in decoded)) throw new Error(decoded.problem.message);
      expect(decoded.request.messages[1]?.parts ?? []).toEqual(said);
    }),
    { numRuns: sampleRuns(500) },
  );
});

describe("Google's signatures after a round trip through any caller", () => {
  const callers = Object.values<Protocol>(protocols).flatMap(({ id, caller }) =>
    caller ? [{ id, caller }] : [],
  );
  const said: AssistantPart[] = [
    { type: 'reasoning', text: 'Two towns.', isRedacted: false },
    { type: 'text', text: 'I shall look.' },
    {
      type: 'reasoning',
      text: '',
      isRedacted: true,
      signature: { protocol: 'gemini', value: 'c2lnbmVkIHRleHQ=' },
    },
    {
      type: 'tool-call',
      id: 'call_1',
      name: 'weather',
      arguments: '{"town":"Rome"}',
      signature: { protocol: 'gemini', value: 'c2lnbmVkIGNhbGw=' },
    },
    { type: 'tool-call', id: 'call_2', name: 'weather', arguments: '{"town":"Oslo"}' },
  ];
  const answer = {
    id: 'a1',
    model: 'gemini-3-pro',
    createdAtSeconds: 5,
    choices: [{ parts: said, finish: { reason: 'tool-calls', native: 'STOP' } as const }],
    usage: null,
  };
  const signed = [
    { text: 'I shall look.', thoughtSignature: 'c2lnbmVkIHRleHQ=' },
    {
      functionCall: { id: 'call_1', name: 'weather', args: { town: 'Rome' } },
      thoughtSignature: 'c2lnbmVkIGNhbGw=',
    },
    { functionCall: { id: 'call_2', name: 'weather', args: { town: 'Oslo' } } },
  ];
  const results: Message = {
    role: 'user',
    parts: ['call_1', 'call_2'].map((callId) => ({
      type: 'tool-result',
      callId,
      name: 'weather',
      parts: [{ type: 'text', text: 'mild' }],
      isError: false,
    })),
  };

  const bodies: Readonly<Record<string, (assistant: object) => object>> = {
    'openai-chat': (assistant) => ({
      model: 'm',
      messages: [
        { role: 'user', content: 'Go' },
        assistant,
        { role: 'tool', tool_call_id: 'call_1', content: 'mild' },
        { role: 'tool', tool_call_id: 'call_2', content: 'mild' },
      ],
    }),
    'anthropic-messages': (assistant) => ({
      model: 'm',
      max_tokens: 9,
      messages: [
        { role: 'user', content: 'Go' },
        assistant,
        {
          role: 'user',
          content: ['call_1', 'call_2'].map((id) => ({
            type: 'tool_result',
            tool_use_id: id,
            content: 'mild',
          })),
        },
      ],
    }),
    'openai-responses': (assistant) => ({
      model: 'm',
      input: [
        { role: 'user', content: 'Go' },
        ...Object.values(assistant),
        ...['call_1', 'call_2'].map((id) => ({ type: 'function_call_output', call_id: id, output: 'mild' })),
      ],
    }),
    gemini: (assistant) => ({
      contents: [
        { role: 'user', parts: [{ text: 'Go' }] },
        assistant,
        ...encodeFor(thirdGeneration, {
          messages: [{ role: 'assistant', parts: said }, results],
        }).body.contents.slice(2),
      ],
    }),
  };
  const keep: Readonly<Record<string, (answer: never) => object>> = {
    'openai-chat': ({ choices: [choice] }: { choices: { message: object }[] }) => choice!.message,
    'anthropic-messages': ({ content }: { content: object[] }) => ({ role: 'assistant', content }),
    'openai-responses': ({ output }: { output: object[] }) => output,
    gemini: ({ candidates: [candidate] }: { candidates: { content: object }[] }) => candidate!.content,
  };
  const known = callers.filter(({ id }) => bodies[id]);

  it.each(known)(
    "Google's signatures are sent back after a complete response to a caller of $id",
    ({ id, caller }) => {
      const given = JSON.parse(JSON.stringify(caller.encodeResponse(answer, answerContext)));
      const body = bodies[id]!(keep[id]!(given as never));
      const parsed = caller.parseRequest(Buffer.from(JSON.stringify(body)), { model: 'm', isStream: false });
      if (!parsed.ok) throw new Error(parsed.problem.message);
      const decoded = parsed.request.toCanonical();
      if (!decoded.ok) throw new Error(decoded.problem.message);
      const { contents } = encodeFor(thirdGeneration, makeRequest(decoded.request)).body;
      expect(contents[1]?.parts.filter(({ thought }) => !thought)).toEqual(signed);
      expect(contents[2]?.parts).toEqual(
        ['call_1', 'call_2'].map((callId) => ({
          functionResponse: { id: callId, name: 'weather', response: { output: 'mild' } },
        })),
      );
    },
  );
});
