import { createOpenAI } from '@ai-sdk/openai';
import { streamText } from 'ai';
import fc from 'fast-check';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { CanonicalResponse } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { toEvents } from '../openai-chat/testing/canonical-values.ts';
import { openaiResponses } from './index.ts';
import { canonicalResponse } from './testing/canonical-values.ts';
import { answerContext, encodeBytes } from './testing/exchange.ts';

function answerWith(response: CanonicalResponse, events: readonly StreamEvent[]) {
  const received: unknown[] = [];
  return {
    received,
    fetch: async (_url: unknown, init?: { readonly body?: unknown }) => {
      const parsed = openaiResponses.caller.parseRequest(Buffer.from(String(init?.body)));
      if (!parsed.ok) throw new Error(parsed.problem.message);
      received.push(parsed.request.toCanonical());
      const body = parsed.request.isStream
        ? encodeBytes(events)
        : Buffer.from(JSON.stringify(openaiResponses.caller.encodeResponse(response, answerContext)));
      const contentType = parsed.request.isStream ? 'text/event-stream' : 'application/json';
      return new Response(new Uint8Array(body), { headers: { 'content-type': contentType } });
    },
  };
}

const wordsOf = ({ choices }: CanonicalResponse) =>
  (choices[0]?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
const callsOf = ({ choices }: CanonicalResponse) =>
  (choices[0]?.parts ?? []).flatMap((part) =>
    part.type === 'tool-call' ? [[part.id, part.name, JSON.parse(part.arguments)]] : [],
  );

const runs = { numRuns: 60 };
const answers = fc.tuple(canonicalResponse, fc.integer({ min: 1, max: 8 }));
const isPlain = ({ choices }: CanonicalResponse) =>
  /^(stop|tool-calls)$/.test(choices[0]?.finish.reason ?? '') &&
  choices[0]?.parts.every(({ type }) => type !== 'refusal') === true;

describe("OpenAI's client", () => {
  const ask = { model: 'm', input: 'Hello' };
  const connect = (fetch: ReturnType<typeof answerWith>['fetch']) =>
    new OpenAI({ apiKey: 'k', baseURL: 'http://gate.test/v1', maxRetries: 0, fetch });

  it("OpenAI's client collects the same response from a stream as it receives in full", async () => {
    await fc.assert(
      fc.asyncProperty(answers, async ([response, length]) => {
        const client = connect(answerWith(response, toEvents(response, length)).fetch);
        const whole = await client.responses.create(ask);
        const final = await client.responses.stream(ask).finalResponse();
        expect(final.output_text).toBe(whole.output_text);
        expect(whole.output_text).toBe(wordsOf(response));
        // The client adds parsed fields, so only the other fields are compared.
        expect(final).toMatchObject(JSON.parse(JSON.stringify(whole)));
        expect(
          whole.output.flatMap((item) =>
            item.type === 'function_call' ? [[item.call_id, item.name, JSON.parse(item.arguments)]] : [],
          ),
        ).toEqual(callsOf(response));
      }),
      runs,
    );
  });

  it("OpenAI's client throws the error that broke the stream", async () => {
    const error = { type: 'error', code: 'rate_limited', message: 'Come back later.' } as const;
    const { fetch } = answerWith(
      { id: null, model: null, createdAtSeconds: null, choices: [], usage: null },
      [
        { type: 'start', id: 'resp_1', model: 'm', createdAtSeconds: 1 },
        { type: 'text-start', choice: 0, block: 0 },
        { type: 'text-delta', choice: 0, block: 0, text: 'It is' },
        error,
      ],
    );
    await expect(connect(fetch).responses.stream(ask).finalResponse()).rejects.toThrow('Come back later.');
  });
});

describe("Vercel's client", () => {
  it("Vercel's client receives all text and calls of a stream", async () => {
    await fc.assert(
      fc.asyncProperty(
        answers.filter(([response]) => isPlain(response)),
        async ([response, length]) => {
          const { fetch, received } = answerWith(response, toEvents(response, length));
          const model = createOpenAI({ apiKey: 'k', baseURL: 'http://gate.test/v1', fetch }).responses(
            'gpt-9',
          );
          const errors: unknown[] = [];
          const result = streamText({
            model,
            prompt: 'Hello',
            onError: ({ error }) => {
              errors.push(error);
            },
          });
          expect(await result.text).toBe(wordsOf(response));
          expect(await result.finishReason).toBe(response.choices[0]?.finish.reason);
          expect((await result.toolCalls).map(({ toolCallId, toolName }) => [toolCallId, toolName])).toEqual(
            callsOf(response).map(([id, name]) => [id, name]),
          );
          expect(errors).toEqual([]);
          expect(received).toMatchObject([
            { ok: true, request: { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }] } },
          ]);
        },
      ),
      runs,
    );
  });
});
