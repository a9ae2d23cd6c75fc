import { describe, expect, it } from 'vitest';
import { replayStream } from '#test/providers/replay-stream.ts';
import { readOllamaCases } from '#test/requests/ollama-cases.ts';
import { collectAnswer } from '#test/requests/through-callers.ts';
import { type WireCase, writeNdjson } from '#test/requests/wire-cases.ts';
import { ollama } from './index.ts';

const cases = readOllamaCases();
const { provider } = ollama;

interface WireLine {
  model: string;
  created_at: string;
  message: {
    content: string;
    thinking?: string;
    tool_calls?: { id?: string; function: { name: string; arguments: object } }[];
  };
  done: boolean;
  done_reason?: string;
  prompt_eval_count?: number;
  eval_count?: number;
}

const readPlainly = (lines: readonly WireLine[]) => {
  const last = lines.at(-1)!;
  return {
    text: lines.map(({ message }) => message.content).join(''),
    reasoning: lines.map(({ message }) => message.thinking ?? '').join(''),
    calls: lines
      .flatMap(({ message }) => message.tool_calls ?? [])
      .map(({ function: called }) => ({ name: called.name, arguments: called.arguments })),
    native: last.done_reason,
    inputTokens: last.prompt_eval_count ?? 0,
    outputTokens: last.eval_count,
  };
};

const readDecoded = ({ choices, usage }: ReturnType<typeof collectAnswer>) => {
  const { parts, finish } = choices[0]!;
  const join = (type: 'text' | 'reasoning') =>
    parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
  return {
    text: join('text'),
    reasoning: join('reasoning'),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [{ name: part.name, arguments: JSON.parse(part.arguments) }] : [],
    ),
    native: finish.native,
    inputTokens: usage?.inputTokens,
    outputTokens: usage?.outputTokens,
  };
};

const idsOf = ({ choices }: ReturnType<typeof collectAnswer>) =>
  choices[0]!.parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []));

describe('recorded complete responses', () => {
  const whole = cases.filter(({ response }) => response.status === 200 && response.body !== undefined);
  const decode = ({ response }: WireCase) =>
    provider.decodeResponse(Buffer.from(JSON.stringify(response.body)))!;

  it.each(whole)('recorded response $name is decoded to the values of its fields', (wireCase) => {
    // safe because the assertions below fail for any other shape
    const line = wireCase.response.body as WireLine;
    const answer = decode(wireCase);
    expect(readDecoded(answer)).toEqual(readPlainly([line]));
    expect(answer).toMatchObject({
      id: null,
      model: line.model,
      createdAtSeconds: Math.floor(Date.parse(line.created_at) / 1_000),
    });
    for (const [index, id] of idsOf(answer).entries())
      expect(id).toBe(line.message.tool_calls![index]!.id ?? expect.stringMatching(/^call_/));
  });
});

describe('recorded streams', () => {
  const streams = cases.filter(({ response }) => response.ndjson !== undefined);
  const broken = new Set(['midstream_error', 'truncated_stream']);
  const isBroken = ({ features }: WireCase) => features.some((feature) => broken.has(feature));
  const sound = streams.filter((wireCase) => !isBroken(wireCase));

  it.each(sound)('recorded stream $name is decoded to the values of its lines', ({ response }) => {
    // safe because the assertions below fail for lines of any other shape
    const lines = response.ndjson as WireLine[];
    const events = replayStream(provider, writeNdjson(response));
    expect(readDecoded(collectAnswer(events))).toEqual(readPlainly(lines));
    expect(events[0]).toEqual({
      type: 'start',
      id: null,
      model: lines[0]!.model,
      createdAtSeconds: Math.floor(Date.parse(lines[0]!.created_at) / 1_000),
    });
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['finish', 'end']);
    const ids = idsOf(collectAnswer(events));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each(streams)(
    'recorded stream $name is decoded to the same events without its last line feed',
    ({ response }) => {
      const bytes = writeNdjson(response);
      expect(replayStream(provider, bytes.subarray(0, -1))).toEqual(replayStream(provider, bytes));
    },
  );
});

describe('recorded errors', () => {
  const refusals = cases.filter(({ response }) => response.status >= 400);
  const textOf = ({ response }: WireCase) => JSON.stringify(response.body);

  it.each(refusals)("E1: recorded error $name is decoded to the provider's error message", (wireCase) => {
    expect(wireCase.response.body).toMatchObject({
      error: provider.readErrorMessage(textOf(wireCase))?.message,
    });
  });
});
