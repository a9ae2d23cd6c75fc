import { describe, expect, it } from 'vitest';
import { SseSplitter } from '#upstream/sse.ts';
import type { CanonicalResponse, Choice } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import type { Protocol } from '../protocol.ts';
import { protocols } from '../registry.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { collectChoices } from '../translation/collect-choices.ts';
import { isStream, readGeminiCases, writeStream } from './testing/cases.ts';
import { answerContext, decodeAnswer, decodeBytes, encodeBytes, writeAnswer } from './testing/exchange.ts';

const cases = readGeminiCases();

interface Told {
  text: string;
  thoughts: string;
  calls: { name: string; arguments: unknown }[];
  signatures: string[];
  finish: unknown;
}

interface WirePart {
  text?: string;
  thought?: boolean;
  thoughtSignature?: string;
  functionCall?: { name?: string; args?: unknown; partialArgs?: unknown[] };
}

interface WireAnswer {
  candidates?: { index?: number; content?: { parts?: WirePart[] }; finishReason?: string | number }[];
  usageMetadata?: Record<string, number>;
  responseId?: string;
  modelVersion?: string;
  error?: unknown;
}

function takeDown(told: Told[], { candidates }: WireAnswer): void {
  for (const { index = 0, content, finishReason } of candidates ?? []) {
    told[index] ??= { text: '', thoughts: '', calls: [], signatures: [], finish: null };
    const one = told[index];
    for (const part of content?.parts ?? []) {
      if (part.thought) one.thoughts += part.text ?? '';
      else one.text += part.text ?? '';
      if (part.functionCall?.name)
        one.calls.push({ name: part.functionCall.name, arguments: part.functionCall.args ?? {} });
      if (part.thoughtSignature && (part.functionCall || part.text !== undefined))
        one.signatures.push(part.thoughtSignature);
    }
    one.finish = finishReason === 1 ? 'STOP' : (finishReason ?? one.finish);
  }
}

const summarize = ({ parts, finish }: Choice): Told => ({
  text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
  thoughts: parts.flatMap((part) => (part.type === 'reasoning' ? [part.text] : [])).join(''),
  calls: parts.flatMap((part) =>
    part.type === 'tool-call' ? [{ name: part.name, arguments: JSON.parse(part.arguments) }] : [],
  ),
  signatures: parts.flatMap((part) => ('signature' in part && part.signature ? [part.signature.value] : [])),
  finish: finish.native,
});

const lastUsage = (events: readonly StreamEvent[]) =>
  events.findLast((event) => event.type === 'usage')?.usage ?? null;

function expectUsage(usage: CanonicalResponse['usage'], told: WireAnswer['usageMetadata']): void {
  if (told?.promptTokenCount === undefined) {
    expect(usage).toBeNull();
    return;
  }
  const { candidatesTokenCount = 0, thoughtsTokenCount = 0, toolUsePromptTokenCount = 0 } = told;
  expect(usage?.outputTokens).toBe(candidatesTokenCount + thoughtsTokenCount);
  expect(usage?.reasoningTokens).toBe(thoughtsTokenCount);
  expect((usage?.inputTokens ?? 0) + (usage?.cacheReadTokens ?? 0)).toBe(
    told.promptTokenCount + toolUsePromptTokenCount,
  );
  expect((usage?.inputTokens ?? 0) + (usage?.cacheReadTokens ?? 0) + (usage?.outputTokens ?? 0)).toBe(
    told.totalTokenCount,
  );
}

const whole = cases.filter((item) => item.response.status === 200 && item.response.body && !isStream(item));

describe('recorded complete responses', () => {
  it.each(whole)(
    'recorded response $name is decoded to the values of its fields',
    ({ response: { body } }) => {
      const wire = body as WireAnswer; // safe because the assertions below fail for any other shape
      const answer = decodeAnswer(wire);
      const told: Told[] = [];
      takeDown(told, wire);
      if (told.length > 0) expect(answer?.choices.map(summarize)).toEqual(told);
      else expect(answer?.choices[0]?.finish.reason).toBe('content-filter');
      expect(answer?.id).toBe(wire.responseId ?? null);
      expect(answer?.model).toBe(wire.modelVersion);
      expectUsage(answer?.usage ?? null, wire.usageMetadata);
    },
  );

  it.each(whole)('recorded response $name has a unique ID for each call', ({ response: { body } }) => {
    const parts = decodeAnswer(body)?.choices.flatMap((choice) => choice.parts) ?? [];
    const ids = parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []));
    expect(ids.every((id) => /^[\w-]{4,40}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(whole)(
    'recorded response $name is unchanged after encoding and decoding',
    ({ response: { body } }) => {
      const answer = decodeAnswer(body);
      const back = decodeAnswer(writeAnswer(answer!));
      expect(back).toEqual({ ...answer!, id: answer!.id ?? answerContext.requestId });
    },
  );
});

const streams = cases.filter(isStream);
const isBroken = ({ features }: (typeof cases)[number]) =>
  features.includes('midstream_error') || features.includes('truncated_stream');
const sound = streams.filter((item) => !isBroken(item));

const readPieces = (bytes: Buffer) =>
  new SseSplitter().feed(bytes).map(({ data }) => JSON.parse(data) as WireAnswer); // safe because the assertions below fail for any other shape

describe('recorded streams', () => {
  it.each(sound)('recorded stream $name is decoded to the values of its pieces', (item) => {
    const pieces = readPieces(writeStream(item));
    const told: Told[] = [];
    for (const piece of pieces) takeDown(told, piece);
    const events = decodeBytes(writeStream(item));
    const hasPartialCalls = JSON.stringify(pieces).includes('"partialArgs"');
    const read = collectChoices(events).map(summarize);
    if (hasPartialCalls)
      expect(read.map(({ calls, ...rest }) => ({ ...rest, names: calls.map(({ name }) => name) }))).toEqual(
        told.map(({ calls, ...rest }) => ({ ...rest, names: calls.map(({ name }) => name) })),
      );
    else if (told.length > 0) expect(read).toEqual(told);
    else expect(read[0]?.finish).toBe('BLOCKLIST');
    const usages = pieces.flatMap(({ usageMetadata }) =>
      usageMetadata?.promptTokenCount === undefined ? [] : [usageMetadata],
    );
    const { totalTokenCount: _total, ...last } = usages.at(-1) ?? {};
    const sum = Object.values({ ...last, cachedContentTokenCount: 0 })
      .filter((count) => typeof count === 'number')
      .reduce((left, right) => left + right, 0);
    const usage = lastUsage(events);
    expect(usage && usage.inputTokens + usage.cacheReadTokens + usage.outputTokens).toBe(
      usages.length === 0 ? null : sum,
    );
    expect(events.filter(({ type }) => type === 'finish')).toHaveLength(Math.max(told.length, 1));
  });

  it.each(streams)(
    'recorded stream $name has at most one open block at a time, numbered in order',
    (item) => {
      expectSound(decodeBytes(writeStream(item)));
    },
  );

  it.each(streams)('recorded stream $name is decoded to the same events for any chunk size', (item) => {
    const bytes = writeStream(item);
    const events = decodeBytes(bytes);
    for (const pieceLength of [1, 2, 3, 7, 61, 1_021])
      expect(decodeBytes(bytes, pieceLength)).toEqual(events);
  });

  it.each(sound)('recorded stream $name is unchanged after encoding and decoding', (item) => {
    const events = decodeBytes(writeStream(item));
    // The gateway adds a missing end marker to a complete stream.
    const back = decodeBytes(encodeBytes([...events, { type: 'end' }]));
    expect(collectChoices(back)).toEqual(collectChoices(events));
    expect(lastUsage(back)).toEqual(lastUsage(events));
    expect(back[0]).toEqual({ ...events[0], ...(isNameless(events[0]) && { id: 'r1' }) });
  });

  it.each(sound)(
    'recorded stream $name is decoded to the same result from a list of pieces in one body',
    (item) => {
      const pieces = readPieces(writeStream(item));
      const answer = decodeAnswer(pieces);
      const events = decodeBytes(writeStream(item));
      expect(answer?.usage).toEqual(lastUsage(events));
      expect(answer?.choices.map(summarize)).toEqual(collectChoices(events).map(summarize));
    },
  );

  it.each(streams.filter(isBroken))(
    'recorded stream $name is broken and is decoded without a finish or end event',
    (item) => {
      const events = decodeBytes(writeStream(item));
      expect(events.some(({ type }) => type === 'end' || type === 'finish')).toBe(false);
      expect(events.some(({ type }) => type === 'error')).toBe(item.features.includes('midstream_error'));
    },
  );
});

function isNameless(event: StreamEvent | undefined): boolean {
  return event?.type === 'start' && event.id === null;
}

const comparable = ({ choices, usage }: Pick<CanonicalResponse, 'choices' | 'usage'>) => ({
  choices: choices.map((choice) => {
    const { text, thoughts, calls } = summarize(choice);
    return { text, thoughts, calls, reason: choice.finish.reason };
  }),
  usage: usage && {
    input: usage.inputTokens,
    cached: usage.cacheReadTokens,
    output: usage.outputTokens,
  },
});

const others = Object.values<Protocol>(protocols).flatMap(({ id, caller, provider }) =>
  caller && id !== 'gemini' ? [{ id, caller, provider }] : [],
);

describe.each(others)('callers of $id', ({ id, caller, provider }) => {
  // Anthropic's protocol has no failed responses, and only OpenAI's chat has several candidates.
  const isCarried = ({ choices }: Pick<CanonicalResponse, 'choices'>) =>
    choices.every(({ finish }) => finish.reason !== 'error') &&
    (choices.length === 1 || id === 'openai-chat');

  it.each(whole.filter(({ response: { body } }) => isCarried(decodeAnswer(body)!)))(
    `recorded response $name is equivalent for a caller of ${id}`,
    ({ response: { body } }) => {
      const answer = decodeAnswer(body)!;
      const encoded = caller.encodeResponse(answer, answerContext);
      const back = provider.decodeResponse(Buffer.from(JSON.stringify(encoded)));
      expect(comparable({ ...back!, usage: answer.usage && back!.usage })).toEqual(comparable(answer));
    },
  );

  const readChoices = (item: (typeof sound)[number]) => collectChoices(decodeBytes(writeStream(item)));

  it.each(sound.filter((item) => isCarried({ choices: readChoices(item) })))(
    `recorded stream $name is equivalent for a streaming caller of ${id}`,
    (item) => {
      const events = decodeBytes(writeStream(item));
      const choices = collectChoices(events);
      const encoder = caller.createStreamEncoder(answerContext);
      const text = [...events, { type: 'end' as const }].map((event) => encoder.encode(event)).join('');
      const decoder = provider.createStreamDecoder();
      const back = new SseSplitter().feed(Buffer.from(text)).flatMap((event) => decoder.decode(event));
      back.push(...decoder.end());
      expect(comparable({ choices: collectChoices(back), usage: lastUsage(back) })).toEqual(
        comparable({ choices, usage: lastUsage(events) }),
      );
    },
  );
});

describe('recorded errors', () => {
  const refusals = cases.filter(({ response }) => response.status >= 400);

  it.each(refusals)('recorded error $name is decoded to a message and a code', ({ response: { body } }) => {
    const told = protocols.gemini.provider.readErrorMessage(JSON.stringify(body));
    const [wire] = [body].flat() as { error: { message: string } }[]; // safe because other shapes fail below
    expect(told?.message).toBe(wire?.error.message);
    expect(told?.code).toMatch(/^[\w-]+$/);
  });

  it.each(refusals)('recorded error $name is not decoded as a response', ({ response: { body } }) => {
    expect(decodeAnswer(body)?.choices ?? []).toEqual([]);
  });
});
