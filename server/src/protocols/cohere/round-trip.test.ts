import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replayStream } from '#test/providers/replay-stream.ts';
import {
  callerProtocols,
  collectAnswer,
  passStream,
  passWhole,
  summarize,
} from '#test/requests/through-callers.ts';
import type { Message } from '../canonical/content.ts';
import { canonicalRequest } from '../openai-chat/testing/canonical-values.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { plainAnswer } from '../testing/plain-answers.ts';
import { cohere } from './index.ts';
import { encodeWishes, encodingProblem } from './testing/exchange.ts';
import { writeStream, writeWhole } from './testing/write-answer.ts';

const { provider } = cohere;
const pieceLength = fc.integer({ min: 1, max: 8 });

it('decodeResponse restores any complete response', () => {
  fc.assert(
    fc.property(plainAnswer, (answer) => {
      const decoded = provider.decodeResponse(writeWhole(answer))!;
      expect(decoded.id).toBe(answer.id);
      expect(decoded.choices[0]?.parts).toEqual(answer.choices[0]?.parts);
      expect(summarize(decoded)).toEqual(summarize(answer));
    }),
    { numRuns: 500 },
  );
});

it('stream decoder returns the same result as decodeResponse for any response and chunk size', () => {
  fc.assert(
    fc.property(plainAnswer, pieceLength, (answer, length) => {
      const events = replayStream(provider, writeStream(answer, length));
      expectSound(events);
      expect(collectAnswer(events)).toEqual(provider.decodeResponse(writeWhole(answer)));
    }),
    { numRuns: 500 },
  );
});

describe.each(callerProtocols)('responses for a caller of $id', (protocol) => {
  it('any complete response keeps its meaning', () => {
    fc.assert(
      fc.property(plainAnswer, (written) => {
        const answer = provider.decodeResponse(writeWhole(written))!;
        expect(summarize(passWhole(protocol, answer))).toEqual(summarize(answer));
      }),
      { numRuns: 200 },
    );
  });

  it('any stream keeps its meaning', () => {
    fc.assert(
      fc.property(plainAnswer, pieceLength, (written, length) => {
        const events = replayStream(provider, writeStream(written, length));
        const answer = collectAnswer(events);
        expect(summarize(collectAnswer(passStream(protocol, events)))).toEqual(summarize(answer));
      }),
      { numRuns: 200 },
    );
  });
});

/** Requests without features that Cohere does not support. */
const carried = canonicalRequest.map(({ count: _, responseFormat, messages, ...rest }) => ({
  ...rest,
  ...(responseFormat && rest.tools.length === 0 && { responseFormat }),
  ...(rest.toolChoice?.kind === 'tool' && { toolChoice: { kind: 'required' as const } }),
  messages: messages.map(
    (message): Message =>
      message.role === 'user'
        ? { ...message, parts: message.parts.filter(({ type }) => type !== 'audio' && type !== 'document') }
        : message,
  ),
}));

it('encodeRequest keeps all texts, tool calls, and results of any supported request in order', () => {
  fc.assert(
    fc.property(carried, (request) => {
      const { body } = encodeWishes(request);
      const parts = request.messages.flatMap((message) => message.parts as readonly { type: string }[]);
      const valuesOf = (type: string, field: string) =>
        parts.flatMap((part) => (part.type === type ? [Reflect.get(part, field)] : []));
      expect(body.messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id))).toEqual(
        valuesOf('tool-call', 'id'),
      );
      expect(body.messages.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(
        valuesOf('tool-result', 'callId'),
      );
      const sent = JSON.stringify(body.messages);
      const positions = valuesOf('text', 'text').map((text) =>
        sent.indexOf(JSON.stringify(text).slice(1, -1)),
      );
      expect(positions).not.toContain(-1);
    }),
    { numRuns: 500 },
  );
});

it('encodeRequest encodes any request or rejects it with the name of a field', () => {
  fc.assert(
    fc.property(canonicalRequest, (request) => {
      const problem = encodingProblem(request);
      if (problem) expect(problem).toMatchObject({ code: 'invalid_request', param: expect.any(String) });
    }),
    { numRuns: 500 },
  );
});
