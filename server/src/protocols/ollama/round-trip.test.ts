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
import type { CanonicalResponse } from '../canonical/response.ts';
import { canonicalRequest } from '../openai-chat/testing/canonical-values.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { plainAnswer } from '../testing/plain-answers.ts';
import { ollama } from './index.ts';
import { encodeWishes, encodingProblem } from './testing/exchange.ts';
import { writeStream, writeWhole } from './testing/write-answer.ts';

const { provider } = ollama;
const pieceLength = fc.integer({ min: 1, max: 8 });

/** Reduces a response to what Ollama can express: it reports neither cached nor reasoning tokens. */
const asTold = ({ usage, choices }: CanonicalResponse) => ({
  choices,
  usage: usage && {
    ...usage,
    inputTokens: usage.inputTokens + usage.cacheReadTokens,
    cacheReadTokens: 0,
    reasoningTokens: 0,
  },
});

it('decodeResponse restores any complete response', () => {
  fc.assert(
    fc.property(plainAnswer, (answer) => {
      const decoded = provider.decodeResponse(writeWhole(answer))!;
      expect(decoded.choices[0]?.parts).toEqual(answer.choices[0]?.parts);
      expect(summarize(decoded)).toEqual(summarize(asTold(answer)));
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

/** Requests without features that Ollama does not support. */
const carried = canonicalRequest.map(({ count: _, messages, ...rest }) => ({
  ...rest,
  ...(rest.toolChoice?.kind === 'tool' && { toolChoice: { kind: 'required' as const } }),
  messages: messages.map(
    (message): Message =>
      message.role === 'user'
        ? {
            ...message,
            parts: message.parts.filter(
              (part) => part.type === 'text' || part.type === 'tool-result' || isPicture(part),
            ),
          }
        : message,
  ),
}));

function isPicture(part: Message['parts'][number]): boolean {
  return part.type === 'image' && part.source.kind === 'data';
}

it('encodeRequest keeps all texts, tool calls, and results of any supported request in order', () => {
  fc.assert(
    fc.property(carried, (request) => {
      const { messages } = encodeWishes(request).body;
      const parts = request.messages.flatMap(
        (message) => message.parts as readonly Message['parts'][number][],
      );
      const calls = parts.filter((part) => part.type === 'tool-call');
      expect(
        messages.flatMap(({ tool_calls: made = [] }) =>
          made.map(({ id, function: called }) => [id, called.name, called.arguments]),
        ),
      ).toEqual(calls.map(({ id, name, arguments: json }) => [id, name, JSON.parse(json)]));
      const results = parts.filter((part) => part.type === 'tool-result');
      expect(
        messages.flatMap(({ tool_call_id: id, tool_name: name }) => (id === undefined ? [] : [[id, name]])),
      ).toEqual(results.map(({ callId, name }) => [callId, name]));
      expect(messages.flatMap(({ images = [] }) => images)).toHaveLength(parts.filter(isPicture).length);
      const said = messages.map(({ content }) => content).join('\n');
      for (const part of parts) if (part.type === 'text') expect(said).toContain(part.text);
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
