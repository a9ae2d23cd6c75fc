import { describe, expect, it } from 'vitest';
import { replayStream } from '#test/providers/replay-stream.ts';
import { readResponsesCases } from '#test/requests/responses-cases.ts';
import {
  callerProtocols,
  collectAnswer,
  describeImages,
  passStream,
  passWhole,
} from '#test/requests/through-callers.ts';
import { type WireCase, writeSse } from '#test/requests/wire-cases.ts';
import type { CanonicalResponse, Choice } from '../canonical/response.ts';
import type { StreamEvent } from '../canonical/stream-event.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { openaiResponses } from './index.ts';
import { answerContext, decodeAnswer, decodeBytes, dropItemIds, encodeBytes } from './testing/exchange.ts';

const cases = readResponsesCases();
const { caller, provider } = openaiResponses;

interface WireItem {
  type: string;
  id?: string;
  call_id?: string;
  name?: string;
  arguments?: string;
  input?: string;
  encrypted_content?: string | null;
  summary?: { text: string }[];
  content?: { type: string; text?: string; refusal?: string }[];
}

interface WireResponse {
  id: string;
  model: string;
  created_at: number;
  status: string;
  output: WireItem[];
  usage: {
    input_tokens: number;
    output_tokens: number;
    input_tokens_details?: { cached_tokens: number };
    output_tokens_details?: { reasoning_tokens: number };
  } | null;
}

const takeDown = ({ output }: WireResponse) => {
  const contentOf = (type: string) =>
    output.filter((item) => item.type === type).flatMap((item) => item.content ?? []);
  const reasoning = output.filter(({ type }) => type === 'reasoning');
  return {
    text: contentOf('message')
      .map(({ text }) => text ?? '')
      .join(''),
    refusal: contentOf('message')
      .map(({ refusal }) => refusal ?? '')
      .join(''),
    reasoning: reasoning
      .map(
        ({ content, summary }) =>
          [content, summary]
            .map((texts) => (texts ?? []).map(({ text }) => text).join('\n\n'))
            .find((text) => text !== '') ?? '',
      )
      .filter((text) => text !== ''),
    proofs: reasoning.flatMap(({ encrypted_content: value, id }) =>
      value ? [{ protocol: 'openai-responses', value, ...(id && { id }) }] : [],
    ),
    calls: output.flatMap((item) => {
      if (item.type === 'function_call')
        return [[item.call_id, item.name, JSON.parse(item.arguments || '{}')]];
      return item.type === 'custom_tool_call' ? [[item.call_id, item.name, { input: item.input }]] : [];
    }),
  };
};

const summarize = ({ parts }: Choice) => ({
  text: parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
  refusal: parts.map((part) => (part.type === 'refusal' ? part.text : '')).join(''),
  reasoning: parts.flatMap((part) => (part.type === 'reasoning' && part.text !== '' ? [part.text] : [])),
  proofs: parts.flatMap((part) => (part.type === 'reasoning' && part.signature ? [part.signature] : [])),
  calls: parts.flatMap((part) =>
    part.type === 'tool-call' ? [[part.id, part.name, JSON.parse(part.arguments)]] : [],
  ),
});

const comparable = ({ choices, usage }: Pick<CanonicalResponse, 'choices' | 'usage'>) => ({
  choices: choices.map(({ parts, finish }) => ({ parts: dropItemIds(parts), reason: finish.reason })),
  usage,
});

const others = callerProtocols.filter(({ id }) => id !== 'openai-responses');

/** Reasoning may move, and consecutive texts may be joined. */
const essence = ({ choices, usage }: Pick<CanonicalResponse, 'choices' | 'usage'>) => ({
  choices: choices.map((choice) => {
    const { reasoning, ...said } = summarize(choice);
    return { ...said, reasoning: reasoning.join(''), reason: choice.finish.reason };
  }),
  // Not all protocols report cache writes, and some omit values of zero.
  usage: {
    input: (usage?.inputTokens ?? 0) + (usage?.cacheReadTokens ?? 0) + (usage?.cacheWriteTokens ?? 0),
    cached: usage?.cacheReadTokens ?? 0,
    output: usage?.outputTokens ?? 0,
    reasoning: usage?.reasoningTokens ?? 0,
  },
});

describe('decoding recorded complete responses', () => {
  const whole = cases.filter(({ response }) => response.status === 200 && response.body !== undefined);
  // safe because the expectations fail for a body of another shape
  const bodyOf = ({ response }: WireCase) => response.body as WireResponse;

  it.each(whole)('$name: the decoded response matches its items', (wireCase) => {
    const body = bodyOf(wireCase);
    const answer = decodeAnswer(body);
    expect(answer.choices.map(summarize)).toEqual([takeDown(body)]);
    expect(answer).toMatchObject({
      id: body.id,
      model: body.model,
      createdAtSeconds: Math.floor(body.created_at),
    });
    const { usage } = body;
    if (usage === null) expect(answer.usage).toBeNull();
    else {
      const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = answer.usage!;
      expect(inputTokens + cacheReadTokens + cacheWriteTokens).toBe(usage.input_tokens);
      expect(cacheReadTokens).toBe(usage.input_tokens_details?.cached_tokens ?? 0);
      expect(outputTokens).toBe(usage.output_tokens);
      expect(reasoningTokens).toBe(usage.output_tokens_details?.reasoning_tokens ?? 0);
    }
  });

  it.each(whole)('$name: the response is unchanged after a round trip', (wireCase) => {
    const answer = decodeAnswer(bodyOf(wireCase));
    const back = decodeAnswer(caller.encodeResponse(answer, answerContext));
    expect(comparable(back)).toEqual(comparable(answer));
    expect(back).toMatchObject({
      id: answer.id,
      model: answer.model,
      createdAtSeconds: answer.createdAtSeconds,
    });
  });

  it.each(
    whole.flatMap((wireCase) =>
      others.map((other) => ({ name: wireCase.name, id: other.id, wireCase, other })),
    ),
  )('$name: the response is equivalent for a caller of $id', ({ wireCase, other }) => {
    const answer = decodeAnswer(bodyOf(wireCase));
    const { choices, usage } = essence(passWhole(other, answer));
    const told = essence(describeImages(other, answer));
    expect(choices.map(({ proofs: _, refusal: __, reason: ___, ...said }) => said)).toEqual(
      told.choices.map(({ proofs: _, refusal: __, reason: ___, ...said }) => said),
    );
    expect(usage).toEqual(told.usage);
    if (told.choices[0]?.refusal === '') expect(choices[0]?.reason).toBe(told.choices[0]?.reason);
  });
});

const decodeStream = ({ response }: WireCase, pieceBytes?: number) =>
  replayStream(provider, writeSse(response), pieceBytes);

const streams = cases.filter(({ response }) => response.sse !== undefined);
const broken = new Set(['midstream_error', 'truncated_stream']);
const sound = streams.filter(({ features }) => !features.some((feature) => broken.has(feature)));

const whole = (events: readonly StreamEvent[]) => {
  const { choices, usage } = collectAnswer(events);
  return { choices, usage };
};

interface Frame {
  type: string;
  delta: string;
  item: WireItem;
  response: WireResponse;
}

/** Reads the events of the first response in a stream, since one recording contains several in a row. */
function readFrames({ response }: WireCase): Frame[] {
  const frames: Frame[] = (response.sse ?? []).map((event) =>
    JSON.parse(event.slice(event.indexOf('data:') + 5)),
  );
  return frames.slice(0, frames.findIndex(({ type }) => /^response\.(completed|incomplete)$/.test(type)) + 1);
}

/** Reads the final response without signatures, because OpenAI encrypts them again in the last event. */
function readFinal(wireCase: WireCase): WireResponse {
  const frames = readFrames(wireCase);
  const items = frames.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : []));
  return { ...frames.at(-1)!.response, output: items };
}

describe('decoding recorded streams', () => {
  it.each(sound)('$name: the decoded stream matches its last event', (wireCase) => {
    const final = readFinal(wireCase);
    const events = decodeStream(wireCase);
    expect(whole(events).choices.map(summarize)).toEqual([takeDown(final)]);
    expect(
      readFrames(wireCase)
        .at(-1)
        ?.response.output.map(({ type }) => type),
    ).toEqual(final.output.map(({ type }) => type));
    const { choices, usage } = decodeAnswer(final);
    expect(whole(events)).toEqual({ choices, usage });
    expect(events.filter(({ type }) => type === 'finish')).toHaveLength(1);
    expect(events[0]).toMatchObject({ type: 'start', id: final.id, model: final.model });
    expect(events.at(-1)).toEqual({ type: 'end' });
  });

  it.each(sound)('$name: the decoder emits text in pieces as it arrives', (wireCase) => {
    const deltas = readFrames(wireCase)
      .filter(({ type }) => type === 'response.output_text.delta')
      .map(({ delta }) => delta)
      .filter((delta) => delta !== '');
    const events = decodeStream(wireCase);
    expect(events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))).toEqual(deltas);
  });

  it.each(streams)(
    '$name: the decoder keeps one block open at a time, numbered in order of their start',
    (wireCase) => {
      expectSound(decodeStream(wireCase));
    },
  );

  it.each(streams)('$name: the decoder emits the same events for any chunking', (wireCase) => {
    const events = decodeStream(wireCase);
    for (const pieceBytes of [1, 2, 3, 7, 61, 1_021])
      expect(decodeStream(wireCase, pieceBytes)).toEqual(events);
  });

  it.each(sound)('$name: the stream is unchanged after a round trip', (wireCase) => {
    const events = decodeStream(wireCase);
    const back = decodeBytes(encodeBytes(events));
    expect(comparable(whole(back))).toEqual(comparable(whole(events)));
    expect(back[0]).toEqual(events[0]);
  });

  it.each(
    sound.flatMap((wireCase) =>
      others.map((other) => ({ name: wireCase.name, id: other.id, wireCase, other })),
    ),
  )('$name: the stream is equivalent for a caller of $id', ({ wireCase, other }) => {
    const events = decodeStream(wireCase);
    const back = passStream(other, events);
    const told = essence(describeImages(other, collectAnswer(events)));
    const received = essence(whole(back));
    const silence = { text: '', calls: [], reasoning: '' };
    const common = ({ choices: [choice] }: typeof told) =>
      choice ? { text: choice.text, calls: choice.calls, reasoning: choice.reasoning } : silence;
    expect(common(received)).toEqual(common(told));
    expect(received.usage).toEqual(told.usage);
    const reasonOf = (all: StreamEvent[]) => all.find((event) => event.type === 'finish')?.finish.reason;
    if (told.choices[0]?.refusal === '') expect(reasonOf(back)).toBe(reasonOf(events));
  });

  it.each(streams.filter(({ features }) => features.some((feature) => broken.has(feature))))(
    '$name: the decoder emits no end for a broken stream',
    (wireCase) => {
      const { features } = wireCase;
      const events = decodeStream(wireCase);
      expect(events.some(({ type }) => type === 'end' || type === 'finish')).toBe(false);
      expect(events.some(({ type }) => type === 'error')).toBe(features.includes('midstream_error'));
    },
  );
});

describe('decoding recorded errors', () => {
  const refusals = cases.filter(({ response }) => response.status >= 400);

  it.each(refusals)(
    "$name: the error has the provider's message and is not decoded as a response",
    ({ response: { body } }) => {
      const text = JSON.stringify(body);
      // safe because any other shape fails in this test
      const { error } = body as { error: { message: string; code: string | null; param: string | null } };
      expect(provider.readErrorMessage(text)).toMatchObject({ message: error.message, param: error.param });
      expect(provider.decodeResponse(Buffer.from(text))?.choices ?? []).toEqual([]);
    },
  );
});
