import { describe, expect, it } from 'vitest';
import { replayStream } from '#test/providers/replay-stream.ts';
import { collectAnswer } from '#test/requests/through-callers.ts';
import { readWireCases, type WireCase, writeSse } from '#test/requests/wire-cases.ts';
import { cohere } from './index.ts';

const cases = readWireCases('cohere').filter(({ endpoint }) => endpoint === 'chat');
const { provider } = cohere;

interface Told {
  text: string;
  reasoning: string;
  calls: { id: string; name: string; arguments: string }[];
  finish: string | null;
  usage: object | null;
}

interface WireUsage {
  tokens: { input_tokens: number; output_tokens: number; reasoning_tokens?: number; image_tokens?: number };
  cached_tokens?: number;
}

const bucketsOf = ({ tokens, cached_tokens: cached = 0 }: WireUsage) => ({
  inputTokens: tokens.input_tokens + (tokens.image_tokens ?? 0) - cached,
  cacheReadTokens: cached,
  cacheWriteTokens: 0,
  outputTokens: tokens.output_tokens,
  reasoningTokens: tokens.reasoning_tokens ?? 0,
});

const toldBy = (answer: ReturnType<typeof collectAnswer>): Told => {
  const [choice] = answer.choices;
  const join = (type: 'text' | 'reasoning') =>
    choice!.parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('');
  return {
    text: join('text'),
    reasoning: join('reasoning'),
    calls: choice!.parts.flatMap((part) =>
      part.type === 'tool-call' ? [{ id: part.id, name: part.name, arguments: part.arguments }] : [],
    ),
    finish: choice!.finish.native,
    usage: answer.usage,
  };
};

const orEmpty = (json: string) => (json === '' || json === 'null' ? '{}' : json);

describe('recorded complete responses', () => {
  const whole = cases.filter(({ response }) => response.status === 200 && response.body !== undefined);
  const decode = ({ response }: WireCase) =>
    provider.decodeResponse(Buffer.from(JSON.stringify(response.body)))!;

  it.each(whole)('recorded response $name is decoded to the values of its fields', (wireCase) => {
    // safe because the assertions below fail for any other shape
    const { id, message, finish_reason, usage } = wireCase.response.body as {
      id: string;
      message: {
        content?: { text?: string; thinking?: string }[];
        tool_plan?: string;
        tool_calls?: { id: string; function: { name: string; arguments: string } }[];
      };
      finish_reason: string;
      usage: WireUsage;
    };
    const { content = [], tool_plan: plan = '', tool_calls: calls = [] } = message;
    const answer = decode(wireCase);
    expect(answer).toMatchObject({ id, model: null });
    expect(toldBy(answer)).toEqual({
      text: content.map(({ text }) => text ?? '').join(''),
      reasoning: content.map(({ thinking }) => thinking ?? '').join('') + plan,
      calls: calls.map(({ id: callId, function: { name, arguments: json } }) => ({
        id: callId,
        name,
        arguments: orEmpty(json),
      })),
      finish: finish_reason,
      usage: bucketsOf(usage),
    });
  });
});

describe('recorded streams', () => {
  const streams = cases.filter(({ response }) => response.sse !== undefined);
  const broken = new Set(['midstream_error', 'truncated_stream']);
  const isBroken = ({ features }: WireCase) => features.some((feature) => broken.has(feature));
  const sound = streams.filter((wireCase) => !isBroken(wireCase));

  it.each(sound)('recorded stream $name is decoded to the values of its events', ({ response }) => {
    const told: Told = { text: '', reasoning: '', calls: [], finish: null, usage: null };
    for (const event of response.sse ?? []) {
      const data = event.split('\n').find((line) => line.startsWith('data: {'));
      const { delta } = data ? JSON.parse(data.slice(6)) : {};
      const { content, tool_plan: plan, tool_calls: call } = delta?.message ?? {};
      told.text += content?.text ?? '';
      told.reasoning += (content?.thinking ?? '') + (plan ?? '');
      if (call?.id) told.calls.push({ id: call.id, name: call.function.name, arguments: '' });
      if (call?.function) told.calls.at(-1)!.arguments += call.function.arguments;
      told.finish ??= delta?.finish_reason;
      if (delta?.usage) told.usage = bucketsOf(delta.usage);
    }
    const events = replayStream(provider, writeSse(response));
    expect(events[0]).toMatchObject({ type: 'start', id: expect.stringMatching(/./), model: null });
    expect(toldBy(collectAnswer(events))).toEqual({
      ...told,
      calls: told.calls.map((call) => ({ ...call, arguments: orEmpty(call.arguments) })),
    });
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['finish', 'end']);
  });

  it.each(streams)(
    'recorded stream $name is decoded to the same events with CRLF line endings',
    ({ response }) => {
      const events = replayStream(provider, writeSse(response));
      expect(replayStream(provider, writeSse({ ...response, sse_eol: '\\r\\n' }))).toEqual(events);
    },
  );
});

describe('recorded errors', () => {
  const refusals = cases.filter(({ response }) => response.status >= 400);
  const textOf = ({ response }: WireCase) => JSON.stringify(response.body);

  it.each(refusals)("recorded error $name is decoded to the provider's error message", (wireCase) => {
    const told = provider.readErrorMessage(textOf(wireCase));
    expect(wireCase.response.body).toMatchObject({ message: told!.message });
  });
});
