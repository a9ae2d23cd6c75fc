import { describe, expect, it } from 'vitest';
import { providers } from '#providers/registry.ts';
import { itSampled, sample } from '#test/load/sample.ts';
import { readNextTurn } from '#test/processes/next-turn.ts';
import { recordedAnswers } from '#test/providers/recorded-answers.ts';
import { replayCut, replayStream } from '#test/providers/replay-stream.ts';
import {
  callerProtocols,
  collectAnswer,
  describeImages,
  passStream,
  passWhole,
  summarize,
} from '#test/requests/through-callers.ts';
import type { WireCase } from '#test/requests/wire-cases.ts';
import type { AssistantPart } from './canonical/content.ts';
import type { CanonicalResponse, FinishReason } from './canonical/response.ts';
import type { Usage } from './canonical/usage.ts';
import { protocols } from './registry.ts';

const isBroken = ({ features }: WireCase) =>
  features.includes('midstream_error') || features.includes('truncated_stream');
const whole = recordedAnswers.filter(({ bytes, response }) => bytes === null && response.body !== undefined);
const streams = recordedAnswers.flatMap(({ bytes, ...rest }) => (bytes === null ? [] : [{ ...rest, bytes }]));

const readWhole = ({ side, response }: (typeof whole)[number]) =>
  side.decodeResponse(Buffer.from(JSON.stringify(response.body)));

function expectSameFor(caller: string, told: CanonicalResponse, answer: CanonicalResponse): void {
  expect({ caller, ...summarize(normalize(caller, told)) }).toEqual({
    caller,
    ...summarize(normalize(caller, answer)),
  });
  expect(new Set(idsOf(told)).size).toBe(idsOf(answer).length);
}

/** Removes the differences between protocols: their finish reasons and the token counts they report. */
function normalize(caller: string, { choices, usage, ...rest }: CanonicalResponse): CanonicalResponse {
  const { cacheWriteTokens = 0, cacheWriteHourTokens, inputTokens = 0, ...counts } = usage ?? {};
  const {
    audioInputTokens: _input,
    audioCacheReadTokens: _cached,
    audioOutputTokens: _output,
    imageOutputTokens: _images,
    ...others
  } = counts as Partial<Usage>;
  const hasWrites = caller !== 'gemini';
  return {
    ...rest,
    choices: choices.map(({ parts, finish }) => ({
      parts,
      finish: { ...finish, reason: normalizeReason(caller, finish.reason, parts) },
    })),
    usage: {
      cacheReadTokens: 0,
      outputTokens: 0,
      reasoningTokens: 0,
      ...others,
      inputTokens: hasWrites ? inputTokens : inputTokens + cacheWriteTokens,
      cacheWriteTokens: hasWrites ? cacheWriteTokens : 0,
      ...(caller === 'anthropic-messages' && cacheWriteHourTokens && { cacheWriteHourTokens }),
    },
  };
}

function normalizeReason(
  caller: string,
  reason: FinishReason,
  parts: readonly AssistantPart[],
): FinishReason {
  if (reason === 'stop' && parts.some(({ type }) => type === 'refusal')) return 'content-filter';
  // Anthropic's protocol has no finish reason for model failures, so the response ends with the content generated so
  // far.
  if (reason !== 'error' || caller !== 'anthropic-messages') return reason;
  return parts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
}

const callersOf = ({ choices }: CanonicalResponse) =>
  callerProtocols.filter(({ id }) => choices.length <= 1 || id === 'openai-chat' || id === 'gemini');

const idsOf = ({ choices }: CanonicalResponse) =>
  choices.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : [])));

describe('recorded responses translated for callers of each protocol', () => {
  it.each(whole)('recorded response is equivalent for callers of each protocol: $name', (wireCase) => {
    const answer = readWhole(wireCase);
    if (!answer) throw new Error('no answer');
    for (const protocol of callersOf(answer)) {
      const told = passWhole(protocol, answer);
      expectSameFor(protocol.id, told, describeImages(protocol, answer));
    }
  });

  it.each(streams.filter((wireCase) => !isBroken(wireCase)))(
    'recorded stream is equivalent for callers of each protocol: $name',
    ({ side, bytes }) => {
      const events = replayStream(side, bytes);
      const answer = collectAnswer(events);
      // The gateway adds a missing end marker to a complete stream.
      const ended = events.some(({ type }) => type === 'end')
        ? events
        : [...events, { type: 'end' as const }];
      for (const protocol of callersOf(answer)) {
        const told = collectAnswer(passStream(protocol, ended));
        expectSameFor(protocol.id, told, describeImages(protocol, answer));
      }
    },
  );

  it.each(streams.filter(isBroken))(
    'recorded stream that broke off is never reported as complete: $name',
    ({ side, bytes }) => {
      const events = replayStream(side, bytes);
      for (const protocol of callerProtocols) {
        const told = passStream(protocol, events);
        expect([protocol.id, told.filter(({ type }) => type === 'finish' || type === 'end')]).toEqual([
          protocol.id,
          [],
        ]);
      }
    },
  );
});

describe('tool calls of recorded responses in the next turn', () => {
  const calling = recordedAnswers.flatMap((wireCase) => {
    if (isBroken(wireCase)) return [];
    const { bytes, side } = wireCase;
    const answer = bytes === null ? readWhole(wireCase) : collectAnswer(replayStream(side, bytes));
    return answer && answer.choices.length === 1 && idsOf(answer).length > 0 ? [{ ...wireCase, answer }] : [];
  });

  it.each(calling)(
    'tool calls of a recorded response match their results in the next turn of each protocol: $name',
    ({ id, answer }) => {
      // Response items keep their ids only when passed through, since no other caller protocol has item ids.
      const signaturesOf = (id: string, parts: readonly AssistantPart[]) =>
        parts.flatMap((part) => {
          if (!('signature' in part) || !part.signature) return [];
          const { protocol, value } = part.signature;
          return [protocol === id ? { protocol, value } : part.signature];
        });
      for (const protocol of callerProtocols) {
        const { messages } = readNextTurn(protocol, answer);
        const called = messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
        const results = messages.flatMap((message) =>
          message.role === 'user' ? message.parts.filter((part) => part.type === 'tool-result') : [],
        );
        const ids = called.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []));
        expect(ids).toHaveLength(idsOf(answer).length);
        expect(new Set(ids).size).toBe(ids.length);
        expect([protocol.id, results.map(({ callId }) => callId)]).toEqual([protocol.id, ids]);
        // For chat callers, each entry names the maker of its signature. The next test covers the opposite direction.
        if (protocol.id === id && id === 'openai-chat') continue;
        expect([protocol.id, signaturesOf(protocol.id, called)]).toEqual([
          protocol.id,
          signaturesOf(protocol.id, answer.choices[0]?.parts ?? []),
        ]);
      }
    },
  );

  const { dialect } = providers.openrouter.chat;
  const detailed = calling.flatMap(({ name, response, answer }) => {
    const details = readDetails(response);
    return details.length > 0 ? [{ name, answer, details }] : [];
  });

  it.each(detailed)("reasoning returns to the model's provider with its signatures: $name", (item) => {
    for (const protocol of callerProtocols) {
      const target = {
        model: 'm',
        isStream: false,
        defaultOutputTokensMax: 100,
        isReasoningModel: false,
        ...(dialect && { dialect }),
      };
      const encoded = protocols['openai-chat'].provider.encodeRequest(
        readNextTurn(protocol, item.answer),
        target,
      );
      const messages: unknown = encoded.ok && Object(encoded.body).messages;
      expect([protocol.id, messages]).toEqual([
        protocol.id,
        expect.arrayContaining([expect.objectContaining({ reasoning_details: item.details })]),
      ]);
    }
  });
});

type Detail = Record<string, unknown>;

function readDetails({ body, sse = [] }: WireCase['response']): Detail[] {
  const chunks = sse.flatMap((event) =>
    event.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : [])),
  );
  const details: Detail[] = [];
  for (const { choices } of [Object(body), ...chunks])
    for (const { message, delta } of Array.isArray(choices) ? choices : [])
      for (const detail of (message ?? delta)?.reasoning_details ?? []) addDetail(details, detail);
  return details;
}

function addDetail(details: Detail[], detail: Detail): void {
  const before = details.at(-1);
  if (before === undefined || before.type !== detail.type) {
    details.push({ ...detail });
    return;
  }
  const field = detail.type === 'reasoning.summary' ? 'summary' : 'text';
  Object.assign(before, detail, { [field]: `${before[field] ?? ''}${detail[field] ?? ''}` });
}

describe('recorded streams split into chunks', () => {
  const small = streams.filter(({ bytes }) => bytes.length < 1_500);

  itSampled(4).each(small)(
    'recorded stream decodes the same when cut at any single position: $name',
    ({ side, bytes }) => {
      const events = replayStream(side, bytes);
      for (let cut = 1; cut < bytes.length; cut++) expect(replayCut(side, bytes, [cut])).toEqual(events);
    },
  );

  it.each(streams)(
    'recorded stream decodes the same when cut at random positions: $name',
    ({ side, bytes }) => {
      const events = replayStream(side, bytes);
      for (const seed of sample([1, 2, 3, 4, 5], 5))
        expect(replayCut(side, bytes, cutsOf(bytes.length, seed))).toEqual(events);
    },
  );
});

/** Returns pseudorandom positions below `length`, always the same for the same seed. */
function cutsOf(length: number, seed: number): number[] {
  const cuts: number[] = [];
  let state = seed * 2_654_435_761;
  for (let at = 0; at < length; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    at += 1 + ((state >>> 8) % 97);
    if (at < length) cuts.push(at);
  }
  return cuts;
}
