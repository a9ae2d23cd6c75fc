import { calcPrice } from '@pydantic/genai-prices';
import { describe, expect, it } from 'vitest';
import { findListedModel } from '#domain/price/catalogue.ts';
import { costOf } from '#domain/price/cost.ts';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { Usage } from '#protocols/canonical/usage.ts';
import type { Protocol } from '#protocols/protocol.ts';
import { protocols } from '#protocols/registry.ts';
import { recordedAnswers } from '../providers/recorded-answers.ts';
import { replayStream } from '../providers/replay-stream.ts';
import { isOllamaCase } from './ollama-cases.ts';
import { collectAnswer } from './through-callers.ts';
import { ownCases, readRecordedCases, recordedProviders, type WireCase } from './wire-cases.ts';

const cases = [...[...ownCases.values()].flat(), ...recordedProviders.flatMap(readRecordedCases)];
const answers = new Map(recordedAnswers.map((answer) => [answer.name, answer]));

const answered = cases.flatMap(({ name }) => answers.get(name) ?? []);
const refused = cases.filter(({ response }) => response.status >= 400);
const embedded = cases.filter(({ endpoint, response }) => endpoint === 'embeddings' && response.status < 400);
/** Token counts and model lists, which the gateway generates itself. */
const unused = cases.filter(
  ({ endpoint, response }) => /^(count_?tokens|models)$/i.test(endpoint) && response.status < 400,
);

type Fields = Readonly<Record<string, unknown>>;
const at = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((inner, name) => Object(inner)[name], value);
const numberAt = (value: unknown, ...path: string[]): number => Number(at(value, ...path) ?? 0);

function listJson({ response }: Pick<WireCase, 'response'>): unknown[] {
  const { body, ndjson, sse = [] } = response;
  if (body !== undefined) return Array.isArray(body) ? body : [body];
  if (ndjson) return [...ndjson];
  const lines = sse.flatMap((event) => event.split(/\r?\n/)).filter((line) => /^data: ?\{/.test(line));
  return lines.map((line) => JSON.parse(line.slice('data:'.length)));
}

const usagePaths = [['usage'], ['x_groq', 'usage'], ['response', 'usage'], ['delta', 'usage']];

/** Reads the total number of tokens from a recording without the decoders; `null` if the total is missing. */
function readTotal(id: ProtocolId, pieces: readonly unknown[]): number | null {
  const listed = (...paths: string[][]) =>
    pieces.flatMap((piece) => paths.flatMap((path) => (at(piece, ...path) ? [at(piece, ...path)] : [])));
  switch (id) {
    case 'anthropic-messages': {
      const usage: Fields = Object.assign({}, ...listed(['message', 'usage'], ['usage']));
      if (usage.output_tokens === undefined) return null;
      const extra = Object(usage.iterations ?? []) as Fields[]; // safe because the field is a list or absent
      const outside = extra.filter(({ type }) => type === 'advisor_message' || type === 'compaction');
      return [usage, ...outside].reduce((sum, counts) => sum + sumOfClaude(counts), 0);
    }
    case 'gemini':
      return (listed(['usageMetadata', 'totalTokenCount']).at(-1) as number | undefined) ?? null; // safe as above
    case 'ollama': {
      const last = pieces.findLast((piece) => at(piece, 'done'));
      if (at(last, 'eval_count') === undefined) return null;
      return numberAt(last, 'prompt_eval_count') + numberAt(last, 'eval_count');
    }
    case 'cohere': {
      const usage = listed(...usagePaths).at(-1);
      const counted = at(usage, 'tokens') ?? at(usage, 'billed_units');
      if (!usage) return null;
      return ['input_tokens', 'output_tokens', 'image_tokens'].reduce(
        (sum, name) => sum + numberAt(counted, name),
        0,
      );
    }
    default: {
      // One recording has several responses. The test reads the first response.
      const usage = listed(...usagePaths).at(id === 'openai-responses' ? 0 : -1);
      if (!usage) return null;
      const total = at(usage, 'total_tokens');
      if (typeof total === 'number') return total;
      return ['prompt_tokens', 'input_tokens', 'completion_tokens', 'output_tokens'].reduce(
        (sum, name) => sum + numberAt(usage, name),
        0,
      );
    }
  }
}

const sumOfClaude = (counts: Fields) =>
  ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', 'output_tokens'].reduce(
    (sum, name) => sum + numberAt(counts, name),
    0,
  );

const inputOf = ({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage) =>
  inputTokens + cacheReadTokens + cacheWriteTokens;

const vendorKeys: Readonly<Record<string, readonly [key: string, listName: string]>> = {
  anthropic: ['anthropic', 'anthropic'],
  azure: ['azure_openai', 'azure'],
  cohere: ['cohere', 'cohere'],
  deepseek: ['deepseek', 'deepseek'],
  gemini: ['google', 'google'],
  groq: ['groq', 'groq'],
  mistral: ['mistral', 'mistral'],
  moonshotai: ['moonshot', 'moonshotai'],
  openai: ['openai', 'openai'],
  openrouter: ['openrouter', 'openrouter'],
  perplexity: ['perplexity', 'perplexity'],
  together: ['together', 'together'],
  vertex: ['google', 'google'],
  xai: ['xai', 'x-ai'],
};

/** Returns the cost in dollars according to the price list's own calculation. */
function calculatePrice(usage: Usage, model: string, listName: string): number {
  const { cacheReadTokens, cacheWriteTokens, cacheWriteHourTokens, outputTokens, reasoningTokens } = usage;
  const { audioInputTokens, audioCacheReadTokens = 0, audioOutputTokens, imageOutputTokens } = usage;
  const counted = {
    input_tokens: inputOf(usage),
    cache_read_tokens: cacheReadTokens,
    cache_write_tokens: cacheWriteTokens,
    output_tokens: outputTokens,
    ...(cacheWriteHourTokens && { cache_write_1h_tokens: cacheWriteHourTokens }),
    ...(reasoningTokens > 0 && { output_reasoning_tokens: reasoningTokens }),
    ...(audioInputTokens && {
      input_audio_tokens: audioInputTokens + audioCacheReadTokens,
      cache_audio_read_tokens: audioCacheReadTokens,
    }),
    ...(audioOutputTokens && { output_audio_tokens: audioOutputTokens }),
    ...(imageOutputTokens && { output_image_tokens: imageOutputTokens }),
  };
  return calcPrice(counted, model, { providerId: listName })?.total_price ?? 0;
}

function readModel({ request }: WireCase, told: string | null): string {
  const named = at(request?.body, 'model');
  return typeof named === 'string'
    ? named
    : (told ?? /models\/([^/:]+)/.exec(request?.path ?? '')?.[1] ?? '');
}

function findProtocol(wireCase: WireCase): Protocol {
  const { provider, endpoint } = wireCase;
  if (endpoint === 'responses') return protocols['openai-responses'];
  if (provider === 'anthropic') return protocols['anthropic-messages'];
  if (provider === 'gemini' || provider === 'vertex') return protocols.gemini;
  if (provider === 'cohere') return protocols.cohere;
  const isOllama = isOllamaCase(wireCase) || wireCase.request?.path.startsWith('/api/embed');
  return isOllama ? protocols.ollama : protocols['openai-chat'];
}

describe('recorded cases', () => {
  it('each recorded case is of exactly one kind: response, error, embedding, or generated by the gateway', () => {
    const kinds = [answered, refused, embedded, unused].map((some) => new Set(some.map(({ name }) => name)));
    const strays = cases.filter(({ name }) => kinds.filter((kind) => kind.has(name)).length !== 1);
    expect(strays.map(({ name }) => name)).toEqual([]);
  });

  it.each(answered.map((one) => [one.name, one] as const))(
    'the token total of a recorded response matches its usage report, and its cost the price list: %s',
    (_, { id, side, bytes, ...wireCase }) => {
      const { body } = wireCase.response;
      const answer = bytes
        ? collectAnswer(replayStream(side, bytes))
        : side.decodeResponse(Buffer.from(JSON.stringify(body)));
      if (!answer) throw new Error('no answer');
      const { usage } = answer;
      expect(usage && inputOf(usage) + usage.outputTokens).toBe(readTotal(id, listJson(wireCase)));
      const model = readModel(wireCase, answer.model);
      const [key = '', listName = ''] = vendorKeys[wireCase.provider] ?? [];
      const listed = findListedModel(key, model, Date.now());
      if (!usage || !listed) return;
      expect(Number(costOf(usage, listed.price, 0)) / 1e9).toBeCloseTo(
        calculatePrice(usage, model, listName),
        8,
      );
    },
  );

  it.each(refused.map((one) => [one.name, one] as const))(
    'the message of the recorded error is read if it has one: %s',
    (_, wireCase) => {
      const { body } = wireCase.response;
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const said = findProtocol(wireCase).provider.readErrorMessage(text);
      if (/^\s*</.test(text)) expect(said).toBeNull();
      else expect(said?.message).toMatch(/\w/);
    },
  );

  it.each(embedded.map((one) => [one.name, one] as const))(
    'the vectors of the recorded response are read: %s',
    (_, wireCase) => {
      const { embeddings } = findProtocol(wireCase).provider;
      const read = embeddings?.decodeResponse(Buffer.from(JSON.stringify(wireCase.response.body)));
      expect(read?.vectors.length).toBeGreaterThan(0);
      expect(read?.vectors.every((vector) => vector.length > 0)).toBe(true);
    },
  );
});
