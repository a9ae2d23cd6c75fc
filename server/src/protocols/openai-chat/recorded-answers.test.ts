import { describe, expect, it } from 'vitest';
import { replayStream } from '#test/providers/replay-stream.ts';
import { readChatCases } from '#test/requests/chat-cases.ts';
import { type WireCase, writeSse } from '#test/requests/wire-cases.ts';
import { SseSplitter } from '#upstream/sse.ts';
import type { CanonicalResponse, Choice } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { collectChoices } from '../translation/collect-choices.ts';
import { dropSignedField } from '../translation/reasoning-field.ts';
import { openaiChat } from './index.ts';

const cases = readChatCases();
const { caller, provider } = openaiChat;
const context = { requestId: 'r1', model: 'asked', nowSeconds: 7, wantsUsage: true };

interface Told {
  text: string;
  refusal: string;
  reasoning: string;
  calls: { name: string; arguments: string }[];
  finish: string | null;
}

interface WireMessage {
  content?: string | null | { type: string; text?: string; thinking?: { text: string }[] }[];
  refusal?: string | null;
  reasoning?: string | null;
  reasoning_content?: string | null;
  function_call?: { name: string; arguments: string };
  tool_calls?: { index?: number; id?: string; function: { name?: string; arguments?: string } }[] | null;
}

function takeDown(told: Told, message: WireMessage): void {
  const { content, function_call: legacy } = message;
  const pieces = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? []);
  for (const piece of pieces) {
    told.text += piece.text ?? '';
    if ('thinking' in piece) told.reasoning += piece.thinking?.map(({ text }) => text).join('') ?? '';
  }
  told.refusal += message.refusal ?? '';
  told.reasoning += message.reasoning_content ?? message.reasoning ?? '';
  if (legacy) told.calls.push({ ...legacy });
  for (const { function: called } of message.tool_calls ?? []) {
    if (called.name) told.calls.push({ name: called.name, arguments: called.arguments ?? '' });
    else told.calls.at(-1)!.arguments += called.arguments ?? '';
  }
}

const nothing = (): Told => ({ text: '', refusal: '', reasoning: '', calls: [], finish: null });

const summarize = ({ parts, finish }: Choice): Told => ({
  text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
  refusal: parts.flatMap((part) => (part.type === 'refusal' ? [part.text] : [])).join(''),
  reasoning: parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join(''),
  calls: parts.flatMap((part) =>
    part.type === 'tool-call' ? [{ name: part.name, arguments: part.arguments }] : [],
  ),
  finish: finish.native,
});

const fill = (told: Told): Told => ({
  ...told,
  calls: told.calls.map((call) => ({ ...call, arguments: call.arguments || '{}' })),
});

const comparable = ({ choices, usage }: Pick<CanonicalResponse, 'choices' | 'usage'>) => ({
  choices: choices.map(({ parts, finish }) => ({ parts: parts.map(dropSignedField), reason: finish.reason })),
  usage,
});

describe('decoding recorded complete responses', () => {
  const whole = cases.filter(({ response }) => response.status === 200 && response.body !== undefined);
  const bodyOf = ({ response }: WireCase) => Buffer.from(JSON.stringify(response.body));

  it.each(whole)('$name: the decoded response matches its fields', ({ response: { body } }) => {
    const answer = provider.decodeResponse(Buffer.from(JSON.stringify(body)));
    // safe because the expectations fail for a body of another shape
    const wire = body as {
      id: string;
      model: string;
      choices: { message: WireMessage; finish_reason: string }[];
      usage: { prompt_tokens: number; completion_tokens: number };
    };
    const told = wire.choices.map(({ message, finish_reason }) => {
      const one = nothing();
      takeDown(one, message);
      return fill({ ...one, finish: finish_reason });
    });
    expect(answer?.choices.map(summarize)).toEqual(told);
    expect(answer).toMatchObject({ id: wire.id, model: wire.model });
    expect(answer?.usage?.outputTokens).toBeGreaterThanOrEqual(wire.usage.completion_tokens);
  });

  it.each(whole)('$name: the response is unchanged after a round trip', (wireCase) => {
    const answer = provider.decodeResponse(bodyOf(wireCase));
    const back = provider.decodeResponse(
      Buffer.from(JSON.stringify(caller.encodeResponse(answer!, context))),
    );
    expect(comparable(back!)).toEqual(comparable(answer!));
    expect(back).toMatchObject({ id: answer!.id, model: answer!.model });
  });
});

const streams = cases.filter(({ response }) => response.sse !== undefined);

const decode = (bytes: Buffer, pieceBytes?: number): StreamEvent[] =>
  replayStream(provider, bytes, pieceBytes);

const lastUsage = (events: readonly StreamEvent[]) =>
  events.findLast((event) => event.type === 'usage')?.usage ?? null;

describe('decoding recorded streams', () => {
  const broken = new Set(['midstream_error', 'truncated_stream']);
  const sound = streams.filter(({ features }) => !features.some((feature) => broken.has(feature)));

  it.each(sound)('$name: the decoded stream matches its chunks', ({ response }) => {
    const told: Told[] = [];
    for (const event of response.sse ?? [])
      for (const line of event.split('\n')) {
        if (!line.startsWith('data: {')) continue;
        for (const { index, delta, finish_reason } of JSON.parse(line.slice(6)).choices) {
          told[index] ??= nothing();
          takeDown(told[index], delta);
          told[index].finish ??= finish_reason;
        }
      }
    const events = decode(writeSse(response));
    expect(collectChoices(events).map(summarize)).toEqual(told.map(fill));
    expect(events.filter(({ type }) => type === 'finish')).toHaveLength(told.length);
    expect(events[0]).toMatchObject({ type: 'start', id: expect.stringMatching(/./) });
  });

  it.each(streams)(
    '$name: the decoder keeps one block open at a time, numbered in order of their start',
    ({ response }) => {
      expectSound(decode(writeSse(response)));
    },
  );

  it.each(streams)('$name: the decoder emits the same events for any chunking', ({ response }) => {
    const bytes = writeSse(response);
    const events = decode(bytes);
    for (const pieceBytes of [1, 2, 3, 7, 61, 1_021]) expect(decode(bytes, pieceBytes)).toEqual(events);
  });

  it.each(sound)('$name: the stream is unchanged after a round trip', ({ response }) => {
    const events = decode(writeSse(response));
    const encoder = caller.createStreamEncoder(context);
    // The gateway adds a missing end marker to a complete stream.
    const ended = events.some(({ type }) => type === 'end') ? events : [...events, { type: 'end' as const }];
    const back = decode(Buffer.from(ended.map((event) => encoder.encode(event)).join('')));
    const whole = (all: StreamEvent[]) => comparable({ choices: collectChoices(all), usage: lastUsage(all) });
    expect(whole(back)).toEqual(whole(events));
    expect(back.find(({ type }) => type === 'start')).toEqual(events.find(({ type }) => type === 'start'));
  });

  it.each(streams)('$name: chunks that may be withheld contain only usage', ({ response }) => {
    const decoder = provider.createStreamDecoder();
    for (const event of new SseSplitter().feed(writeSse(response))) {
      const [first, ...more] = decoder.decode(event);
      if (first?.type !== 'usage' || more.length > 0 || !first.isAlone) continue;
      expect(JSON.parse(event.data)).toMatchObject({ choices: [], usage: {} });
    }
  });

  it.each(streams.filter(({ features }) => features.some((feature) => broken.has(feature))))(
    '$name: the decoder emits no end for a broken stream',
    ({ response, features }) => {
      const events = decode(writeSse(response));
      expect(events.some(({ type }) => type === 'end' || type === 'finish')).toBe(false);
      expect(events.some(({ type }) => type === 'error')).toBe(features.includes('midstream_error'));
    },
  );
});

describe('decoding recorded errors', () => {
  const refusals = cases.filter(({ response }) => response.status >= 400);

  it.each(refusals)('$name: the error has a message, unless it is an HTML page', ({ response: { body } }) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const told = provider.readErrorMessage(text);
    if (typeof body === 'string') expect(told).toBeNull();
    else {
      expect(told?.message).toMatch(/\w{4}/);
      expect(text).toContain(JSON.stringify(told?.message).slice(1, 40));
    }
  });

  it.each(refusals)('$name: the error is not decoded as a response', ({ response: { body } }) => {
    expect(provider.decodeResponse(Buffer.from(JSON.stringify(body)))?.choices ?? []).toEqual([]);
  });
});
