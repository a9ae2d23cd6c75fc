import { describe, expect, it } from 'vitest';
import { SseSplitter } from '#upstream/sse.ts';
import { readWireCases } from '../../../test/wire-cases.ts';
import { openaiChat } from './index.ts';

const cases = readWireCases('chat', [
  ...['openai', 'azure', 'groq', 'mistral', 'deepseek', 'openrouter', 'xai', 'huggingface', 'together'],
  ...['perplexity', 'moonshotai', 'alibaba', 'openai-compatible'],
]);
const streams = cases.filter(({ response }) => response.sse);
const wholes = cases.filter(({ response }) => response.body && response.status < 400);
const refusals = cases.filter(({ response }) => response.status >= 400);
const requests = cases.filter(({ request }) => typeof request?.body?.model === 'string');

interface Chunk {
  choices?: { index?: number; delta?: { content?: unknown }; finish_reason?: string | null }[];
  usage?: WireUsage | null;
  error?: unknown;
}
interface WireUsage {
  prompt_tokens: number;
  completion_tokens: number;
  prompt_tokens_details?: { cached_tokens?: number };
  completion_tokens_details?: { reasoning_tokens?: number };
}

/** The chunks of a recorded stream, read without anything of ours. */
const chunksOf = (sse: string[]): Chunk[] =>
  sse.flatMap((event) => {
    const data = event
      .split('\n')
      .flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trim()] : []));
    return data.length === 0 || data[0] === '[DONE]' ? [] : [JSON.parse(data.join('\n'))];
  });

/** The visible text, for a content of one string or of parts. */
const textOf = (content: unknown): string => {
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
};

/** What was used, as the provider means it: xAI alone does not count reasoning as a part of the completion. */
const totalsOf = (name: string, usage: WireUsage) => {
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  return {
    input: usage.prompt_tokens,
    output: usage.completion_tokens + (name.includes('xai-') ? reasoning : 0),
    reasoning,
  };
};
const readTotals = (usage: ReturnType<typeof openaiChat.createStreamTap>['state']['usage']) =>
  usage && {
    input: usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
    output: usage.outputTokens,
    reasoning: usage.reasoningTokens,
  };

/** What the tap makes of a stream that arrives cut at these positions, and what the caller gets of it. */
const follow = (bytes: Buffer, cuts: number[], wantsUsage = true) => {
  const splitter = new SseSplitter();
  const tap = openaiChat.createStreamTap({ wantsUsage });
  const passed: string[] = [];
  for (const [index, end] of [...cuts, bytes.length].entries()) {
    for (const event of splitter.feed(bytes.subarray(cuts[index - 1] ?? 0, end)))
      if (tap.accept(event.data)) passed.push(event.data);
  }
  return { state: tap.state, passed };
};

const randomCuts = (length: number) =>
  Array.from({ length: 20 }, () => Math.floor(Math.random() * length)).toSorted(
    (left, right) => left - right,
  );

describe.skipIf(cases.length === 0)('recorded by those who speak it', () => {
  it.each(streams)('stream $name', ({ name, features, response }) => {
    const sse = response.sse ?? [];
    const bytes = Buffer.from(sse.map((event) => `${event}\n\n`).join(''));
    const chunks = chunksOf(sse);
    const { state, passed } = follow(bytes, []);
    const choices = chunks.flatMap((chunk) => chunk.choices ?? []);
    const usages = chunks.flatMap(({ usage }) => (usage ? [usage] : []));
    expect(state.text).toBe(choices.map(({ delta }) => textOf(delta?.content)).join(''));
    expect(readTotals(state.usage)).toEqual(usages.length === 0 ? null : totalsOf(name, usages.at(-1)!));
    expect(state.isFinished).toBe(choices.some((choice) => choice.finish_reason));
    expect(state.isClosed).toBe(sse.at(-1)?.trim() === 'data: [DONE]');
    expect(state.error !== null).toBe(features.includes('midstream_error'));
    expect(state.isFinished).toBe(
      !features.includes('midstream_error') && !features.includes('truncated_stream'),
    );
    expect(state.outputPieces > 0).toBe(true);

    for (let round = 0; round < 20; round++)
      expect(follow(bytes, randomCuts(bytes.length))).toEqual({ state, passed });
    expect(follow(bytes, [...bytes.keys()].slice(1))).toEqual({ state, passed });

    const withheld = passed.filter((data) => !follow(bytes, [], false).passed.includes(data));
    expect(withheld.map((data) => JSON.parse(data).choices ?? [])).toEqual(withheld.map(() => []));
    expect(withheld.every((data) => JSON.parse(data).usage)).toBe(true);
  });

  it.each(wholes)('answer $name', ({ name, response }) => {
    const completion = openaiChat.parseCompletion(Buffer.from(JSON.stringify(response.body)));
    // safe because a recorded answer is a chat completion
    const { choices, model, usage } = response.body as {
      choices: { message: { content?: unknown } }[];
      model: string;
      usage: WireUsage;
    };
    expect(completion?.model).toBe(model);
    expect(completion?.text ?? '').toBe(textOf(choices[0]?.message.content));
    expect(readTotals(completion?.usage ?? null)).toEqual(totalsOf(name, usage));
    // Grok at Azure tells of more cached tokens than there were tokens.
    const cached = Math.min(usage.prompt_tokens_details?.cached_tokens ?? 0, usage.prompt_tokens);
    expect(completion?.usage?.cacheReadTokens).toBe(cached);
  });

  it.each(refusals)('refusal $name', ({ response: { body } }) => {
    const said = openaiChat.readErrorMessage(typeof body === 'string' ? body : JSON.stringify(body));
    if (typeof body === 'string') expect(said).toBeNull();
    else {
      expect(said?.message).toMatch(/\w/);
      expect(JSON.stringify(body)).toContain(JSON.stringify(said?.message));
      if (said?.code) expect(JSON.stringify(body)).toContain(said.code);
    }
  });

  // The one deviation: Mistral lets a tool go without its type, OpenAI does not.
  const isInOrder = (tools: unknown) => !Array.isArray(tools) || tools.every((tool) => 'type' in tool);

  it.each(requests)('request $name', ({ request }) => {
    const body = request?.body ?? {};
    const bytes = Buffer.from(JSON.stringify(body, null, 1));
    const parsed = openaiChat.parseRequest(bytes);
    if (!isInOrder(body.tools)) {
      expect(parsed).toMatchObject({
        ok: false,
        problem: { param: expect.stringMatching(/^tools\[\d+\]\.type$/) },
      });
      return;
    }
    if (!parsed.ok) expect.unreachable(parsed.problem.message);
    const sent = parsed.request.encodeFor(String(body.model));
    // safe because a request of OpenAI's protocol has these fields in these types
    const { stream, stream_options: options } = body as {
      stream?: boolean;
      stream_options?: { include_usage?: boolean };
    };
    if (!stream || options?.include_usage) expect(sent.equals(bytes)).toBe(true);
    else
      expect(JSON.parse(sent.toString())).toEqual({
        ...body,
        stream_options: { ...options, include_usage: true },
      });
    expect(JSON.parse(parsed.request.encodeFor('other').toString())).toMatchObject({
      model: 'other',
      messages: body.messages,
    });
  });
});
