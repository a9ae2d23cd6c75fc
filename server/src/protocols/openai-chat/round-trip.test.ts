import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleRuns } from '#test/load/sample.ts';
import { SseSplitter } from '#upstream/sse.ts';
import type { AssistantPart, ProtocolId, Signature } from '../canonical/content.ts';
import type { Choice } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import type { RequestTarget } from '../protocol.ts';
import { collectChoices } from '../translation/collect-choices.ts';
import { dropSignedField } from '../translation/reasoning-field.ts';
import { openaiChat } from './index.ts';
import { canonicalRequest, canonicalResponse, said, toEvents } from './testing/canonical-values.ts';

const { caller, provider } = openaiChat;
const context = { requestId: 'r1', model: 'asked', nowSeconds: 7, wantsUsage: true };
const target: RequestTarget = {
  model: 'm',
  isStream: false,
  defaultOutputTokensMax: 4_096,
  isReasoningModel: false,
  dialect: {
    fitReasoningEffort: (_, effort) => effort,
    reasoningField: 'reasoning_content',
    takesReasoningDetails: true,
  },
};

const decodeRequest = (body: object) => {
  const parsed = caller.parseRequest(Buffer.from(JSON.stringify(body)));
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const decoded = parsed.request.toCanonical();
  if (!decoded.ok) throw new Error(decoded.problem.message);
  return decoded.request;
};

const decodeStream = (text: string): StreamEvent[] => {
  const decoder = provider.createStreamDecoder();
  const events = new SseSplitter().feed(Buffer.from(text)).flatMap((event) => decoder.decode(event));
  return [...events, ...decoder.end()];
};

const encodeStream = (events: readonly StreamEvent[]) => {
  const encoder = caller.createStreamEncoder(context);
  return events.map((event) => encoder.encode(event)).join('');
};

const dropFields = (choices: readonly Choice[]) =>
  choices.map(({ parts, finish }) => ({ parts: parts.map(dropSignedField), finish }));

const summarize = (events: readonly StreamEvent[]) => ({
  start: events.find(({ type }) => type === 'start'),
  choices: dropFields(collectChoices(events)),
  usage: events.findLast((event) => event.type === 'usage')?.usage ?? null,
  hasEnded: events.at(-1)?.type === 'end',
});

it('a request is unchanged after encoding for a provider and decoding', () => {
  fc.assert(
    fc.property(canonicalRequest, (request) => {
      const encoded = provider.encodeRequest(request, target);
      expect(encoded).toMatchObject({ ok: true, warnings: [] });
      if (encoded.ok) expect(decodeRequest(encoded.body)).toEqual(request);
    }),
    { numRuns: sampleRuns(500) },
  );
});

it('a complete response is unchanged after encoding for a caller and decoding', () => {
  fc.assert(
    fc.property(canonicalResponse, (response) => {
      const body = Buffer.from(JSON.stringify(caller.encodeResponse(response, context)));
      const decoded = provider.decodeResponse(body);
      expect(decoded && { ...decoded, choices: dropFields(decoded.choices) }).toMatchObject(response);
    }),
    { numRuns: sampleRuns(500) },
  );
});

it('a stream is unchanged after encoding for a caller and decoding, in pieces of any size', () => {
  fc.assert(
    fc.property(canonicalResponse, fc.integer({ min: 1, max: 8 }), (response, pieceLength) => {
      const events = toEvents(response, pieceLength);
      expect(summarize(decodeStream(encodeStream(events)))).toEqual(summarize(events));
    }),
    { numRuns: sampleRuns(500) },
  );
});

it('a stream is decoded to the same choices as the complete response', () => {
  fc.assert(
    fc.property(canonicalResponse, fc.integer({ min: 1, max: 8 }), (response, pieceLength) => {
      const events = toEvents(response, pieceLength);
      expect(dropFields(collectChoices(decodeStream(encodeStream(events))))).toEqual(response.choices);
    }),
  );
});

describe('contents of a response in the next request', () => {
  const signatures: Signature[] = (
    ['anthropic-messages', 'gemini', 'openai-responses', 'cohere', 'ollama'] satisfies ProtocolId[]
  ).flatMap((protocol) => [
    { protocol, value: 'c2ln/+=' },
    { protocol, value: 'c2ln', id: 'rs_1' },
  ]);

  const keepWhole = (parts: AssistantPart[]) => {
    const response = { id: 'a', model: 'm', createdAtSeconds: 1, usage: null };
    const choices = [{ parts, finish: { reason: 'stop' as const, native: 'stop' } }];
    // safe because this protocol's responses have this shape
    const { choices: encoded } = caller.encodeResponse({ ...response, choices }, context) as {
      choices: { message: object }[];
    };
    return encoded[0]!.message;
  };
  const keepStreamed = (parts: AssistantPart[]) => {
    const choices = [{ parts, finish: { reason: 'stop' as const, native: 'stop' } }];
    const events = toEvents({ id: 'a', model: 'm', createdAtSeconds: 1, usage: null, choices }, 3);
    const message: Record<string, unknown> = { role: 'assistant' };
    const calls: Record<string, unknown>[] = [];
    for (const line of encodeStream(events).split('\n')) {
      if (!line.startsWith('data: {')) continue;
      const delta = JSON.parse(line.slice(6)).choices[0]?.delta ?? {};
      for (const field of ['content', 'refusal', 'reasoning_content'])
        if (field in delta) message[field] = `${message[field] ?? ''}${delta[field]}`;
      if ('reasoning_details' in delta)
        message.reasoning_details = [
          ...((message.reasoning_details as object[] | undefined) ?? []), // safe because only this test sets it
          ...delta.reasoning_details,
        ];
      for (const { index, function: called = {}, ...rest } of delta.tool_calls ?? []) {
        const { function: before = {}, ...known } = calls[index] ?? {};
        const { arguments: json = '' } = before as { arguments?: string }; // safe because only this test sets it
        const merged = { ...(before as object), ...called, arguments: json + (called.arguments ?? '') }; // safe as above
        calls[index] = { ...known, ...rest, function: merged };
      }
    }
    return calls.length === 0 ? message : { ...message, tool_calls: calls };
  };
  const bringBack = (message: object) =>
    decodeRequest({ model: 'm', messages: [{ role: 'user', content: 'q' }, message] }).messages[1]?.parts;

  it.each([
    ['complete', keepWhole],
    ['streamed', keepStreamed],
  ] as const)('the next request contains all parts of the previous %s response', (_form, keep) => {
    fc.assert(
      fc.property(said('call'), (parts) => {
        expect(bringBack(keep(parts))).toEqual(parts);
      }),
      { numRuns: sampleRuns(300) },
    );
  });

  it.each(signatures)(
    'the next request contains the signature of reasoning: $protocol, id $id',
    (signature) => {
      const parts: AssistantPart[] = [
        { type: 'reasoning', text: 'I think', isRedacted: false, signature },
        { type: 'reasoning', text: '', isRedacted: true, signature },
        { type: 'reasoning', text: 'and more', isRedacted: false, signature },
        { type: 'text', text: 'hello' },
      ];
      expect(bringBack(keepWhole(parts))).toEqual(parts);
      expect(bringBack(keepStreamed(parts))).toEqual(parts);
    },
  );

  it.each(signatures.filter(({ protocol, id }) => protocol !== 'gemini' || id === undefined))(
    'the next request contains the signature of a call: $protocol, id $id',
    (signature) => {
      const parts: AssistantPart[] = [
        { type: 'tool-call', id: 'c1', name: 'f', arguments: '{"a":1}', signature },
        { type: 'tool-call', id: 'c2', name: 'g', arguments: '{}' },
      ];
      expect(bringBack(keepWhole(parts))).toEqual(parts);
      expect(bringBack(keepStreamed(parts))).toEqual(parts);
    },
  );
});
