import { describe, expect, it } from 'vitest';
import { sample } from '#test/load/sample.ts';
import { measureCpuMs } from '#test/processes/cpu-time.ts';
import { recordedAnswers } from '#test/providers/recorded-answers.ts';
import { answerContext, callerProtocols } from '#test/requests/through-callers.ts';
import { isObject, parseObject } from '../json/json-value.ts';
import { NdjsonSplitter } from '../upstream/ndjson.ts';
import { type FramedEvent, SseSplitter } from '../upstream/sse.ts';
import type { ProtocolId } from './canonical/content.ts';
import { choicesMax } from './canonical/response.ts';
import type { StreamEvent } from './canonical/stream-event.ts';
import type { ProviderSide } from './protocol.ts';
import { protocols } from './registry.ts';
import { joinStream } from './testing/join-stream.ts';

const repetitions = 20_000;
/** Quadratic work takes seconds at these sizes. */
const limitMs = 1_000;

/** Passes if one of several runs is fast, since the first runs include compilation and possibly garbage collection. */
const isFast = (work: () => unknown) => [0, 1, 2].some(() => measureCpuMs(work) < limitMs);

interface Answer {
  readonly id: ProtocolId;
  readonly whole: object;
}

const chat = (message: object): Answer => ({
  id: 'openai-chat',
  whole: { choices: [{ index: 0, message, finish_reason: 'stop' }] },
});
const gemini = (...parts: object[]): Answer => ({
  id: 'gemini',
  whole: { candidates: [{ content: { parts }, finishReason: 'STOP' }] },
});
const called = { name: 'f', arguments: '{"a":1}' };

const ownAnswers: readonly Answer[] = [
  chat({ images: [{ image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }] }),
  chat({ content: [{ type: 'thinking', thinking: [{ text: 'a' }] }] }),
  chat({ tool_calls: [{ index: 0, id: 'c', function: called }] }),
  chat({ tool_calls: [{ function: called }] }),
  chat({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'a', signature: 's' }] }),
  gemini({ functionCall: { name: 'f', args: { a: 1 } } }),
  gemini({ text: 'a', thought: true, thoughtSignature: 's' }),
  gemini({ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }),
  gemini({ functionCall: { name: 'f', partialArgs: [{ jsonPath: '$.a[0]', stringValue: 'x' }] } }),
];

function splitFrames({ framing }: ProviderSide, bytes: Buffer): FramedEvent[] {
  const splitter = framing === 'sse' ? new SseSplitter() : new NdjsonSplitter();
  return [...splitter.feed(bytes), ...splitter.end()];
}

const recordedStreams = recordedAnswers.flatMap(({ id, side, bytes }) =>
  bytes ? [{ id, frames: splitFrames(side, bytes) }] : [],
);
const recordedWholes = recordedStreams.flatMap(({ id, frames }): Answer[] => {
  const datas = frames.map(({ data }) => data);
  const whole = joinStream(id, datas);
  return whole ? [{ id, whole }] : [];
});

interface Case<Made> {
  readonly id: ProtocolId;
  readonly title: string;
  readonly make: () => Made;
}

function keepKinds<Made>(cases: readonly Case<Made>[]): Case<Made>[] {
  return [...Map.groupBy(cases, ({ id, title }) => `${id} ${title}`).values()].flatMap(
    ([first]) => first ?? [],
  );
}

/** Returns two lists that repeat an entry thousands of times: unchanged, and with distinct indexes and ids. */
function repeat(entry: unknown): { suffix: string; list: () => unknown[] }[] {
  const copy = (change: (number: number) => unknown) => () =>
    Array.from({ length: repetitions }, (_, number) => change(number));
  return [
    { suffix: '', list: copy(() => entry) },
    { suffix: ', all different', list: copy((number) => distinguish(entry, number)) },
  ];
}

function distinguish(entry: unknown, number: number): unknown {
  return JSON.parse(JSON.stringify(entry), (name, value: unknown) => {
    if (/(^|_)index$/.test(name)) return number;
    return /(^|_)id$/.test(name) && typeof value === 'string' ? `${value}_${number}` : value;
  });
}

const keysOf = (value: unknown) => (isObject(value) ? Object.keys(value).join(',') : typeof value);

/**
 * Yields the value once for each of its lists. In each copy, one list is replaced with thousands of its first entry.
 */
function* repeatLists(value: unknown, path = ''): Generator<Omit<Case<unknown>, 'id'>> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.length > 0)
    for (const { suffix, list } of repeat(value[0]))
      yield { title: `${path} of ${keysOf(value[0])}${suffix}`, make: list };
  for (const [name, part] of Object.entries(value))
    for (const { title, make } of repeatLists(part, Array.isArray(value) ? `${path}[]` : `${path}.${name}`))
      yield {
        title,
        make: () => (Array.isArray(value) ? value.with(Number(name), make()) : { ...value, [name]: make() }),
      };
}

const repeatListsOf = (answers: readonly Answer[]) =>
  keepKinds(answers.flatMap(({ id, whole }) => [...repeatLists(whole)].map((each) => ({ id, ...each }))));

/** Samples the cases of each protocol, so that no protocol is skipped. */
const sampleEach = <Made>(cases: readonly Case<Made>[], step: number): Case<Made>[] =>
  [...Map.groupBy(cases, ({ id }) => id).values()].flatMap((ofProtocol) => sample(ofProtocol, step));

const longAnswers = [
  ...sampleEach(repeatListsOf(ownAnswers), 3),
  ...sampleEach(repeatListsOf(recordedWholes), 25),
];

const longStreams = sampleEach(
  keepKinds(
    recordedStreams.flatMap(({ id, frames }) =>
      frames.flatMap((frame, place) => {
        const content = parseObject(frame.data);
        if (!content) return [];
        return repeat(content).map(({ suffix, list }) => ({
          id,
          title: `${frame.event} of ${keysOf(content)}${suffix}`,
          make: () => [
            ...frames.slice(0, place),
            ...list().map((copy) => ({ ...frame, data: JSON.stringify(copy) })),
          ],
        }));
      }),
    ),
  ),
  25,
);

describe.each(Object.values(protocols))('$id responses are processed in linear time', ({ id, provider }) => {
  it.each(longAnswers.filter((each) => each.id === id))(
    'a response with 20,000 repetitions of $title is decoded and encoded in less than 1 s of CPU time each',
    ({ make }) => {
      const bytes = Buffer.from(JSON.stringify(make()));
      expect(isFast(() => provider.decodeResponse(bytes))).toBe(true);
      const response = provider.decodeResponse(bytes);
      const slow = callerProtocols.filter(
        ({ caller }) => response && !isFast(() => caller.encodeResponse(response, answerContext)),
      );
      expect(slow.map((caller) => caller.id)).toEqual([]);
    },
  );

  it.each(longStreams.filter((each) => each.id === id))(
    'a stream with 20,000 repetitions of $title is decoded and encoded in less than 1 s of CPU time each',
    ({ make }) => {
      const frames = make();
      const decode = () => {
        const decoder = provider.createStreamDecoder();
        return [...frames.map((frame) => decoder.decode(frame)), decoder.end()].flat();
      };
      expect(isFast(decode)).toBe(true);
      const events = decode();
      const slow = callerProtocols.filter(({ caller }) => {
        const encode = () => {
          const encoder = caller.createStreamEncoder(answerContext);
          return [...events, { type: 'end' } as const].map((event) => encoder.encode(event));
        };
        return !isFast(encode);
      });
      expect(slow.map((caller) => caller.id)).toEqual([]);
    },
  );
});

it.each<[id: ProtocolId, write: (index: number) => object]>([
  ['openai-chat', (index) => ({ choices: [{ index, delta: { content: 'a' }, finish_reason: 'stop' }] })],
  [
    'gemini',
    (index) => ({ candidates: [{ index, content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }] }),
  ],
])('a stream of %s with 20,000 choices is cut to 128 choices', (id, write) => {
  const decoder = protocols[id].provider.createStreamDecoder();
  const choices = new Set<number>();
  for (let index = 0; index < repetitions; index++)
    for (const event of decoder.decode({ event: 'message', data: JSON.stringify(write(index)) }))
      if ('choice' in event) choices.add(event.choice);
  for (const event of decoder.end()) if ('choice' in event) choices.add(event.choice);
  expect(choices.size).toBe(choicesMax);
});

it.each(callerProtocols)(
  'the only choice of a stream reaches callers of $id even if its index is 3',
  ({ caller }) => {
    const encoder = caller.createStreamEncoder(answerContext);
    const words = { choice: 3, block: 0 };
    const events: StreamEvent[] = [
      { type: 'start', id: 'c', model: 'm', createdAtSeconds: 1 },
      { type: 'text-start', ...words },
      { type: 'text-delta', ...words, text: 'Hello' },
      { type: 'text-end', ...words },
      { type: 'finish', choice: 3, finish: { reason: 'stop', native: 'stop' } },
      { type: 'end' },
    ];
    expect(events.map((event) => encoder.encode(event)).join('')).toContain('Hello');
  },
);
