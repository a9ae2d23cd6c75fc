import { z } from 'zod';
import { anyObject, isObject, parseObject } from '#json/json-value.ts';
import { findErrorWords } from '../translation/untranslatable.ts';

const count = z.number().int().min(0).max(2_000_000_000);

/** OpenAI's usage, and the fields in which other vendors report cached tokens. */
export const usage = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count.nullish().catch(null),
  prompt_tokens_details: z
    .looseObject({
      cached_tokens: count.nullish(),
      cache_write_tokens: count.nullish(),
      audio_tokens: count.nullish(),
    })
    .nullish(),
  completion_tokens_details: z
    .looseObject({
      reasoning_tokens: count.nullish(),
      audio_tokens: count.nullish(),
      image_tokens: count.nullish(),
    })
    .nullish(),
  prompt_cache_hit_tokens: count.nullish(),
  num_cached_tokens: count.nullish(),
  cached_tokens: count.nullish(),
});

/** Providers differ, so each field is validated when it is used. */
export interface WireMessage {
  readonly content?: unknown;
  readonly refusal?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly reasoning_details?: unknown;
  readonly tool_calls?: unknown;
  readonly function_call?: unknown;
  readonly images?: unknown;
}

export interface WireImage {
  readonly image_url?: unknown;
  readonly extra_content?: unknown;
}

export interface WireToolCall {
  readonly index?: unknown;
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
  readonly extra_content?: unknown;
}

export interface WireChoice {
  readonly index?: unknown;
  readonly message?: WireMessage | null;
  readonly delta?: WireMessage | null;
  readonly finish_reason?: unknown;
}

/** There is no schema, because a stream contains thousands of chunks. */
export interface WireAnswer {
  readonly id?: unknown;
  readonly model?: unknown;
  readonly created?: unknown;
  readonly choices?: readonly (WireChoice | null)[] | null;
  readonly usage?: unknown;
  readonly x_groq?: { readonly usage?: unknown } | null;
  readonly error?: unknown;
  readonly object?: unknown;
}

/** Everything except the text must be sent back unchanged. */
export const reasoningDetail = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  summary: z.string().nullish(),
  signature: z.string().nullish(),
  data: z.string().nullish(),
  format: z.string().nullish(),
  id: z.string().nullish(),
});

export type ReasoningDetail = z.infer<typeof reasoningDetail>;

const calledFunction = z.looseObject({
  name: z.string(),
  arguments: z
    .string()
    .nullish()
    .transform((json) => json ?? ''),
});

const calledFreeform = z.looseObject({ name: z.string(), input: z.string().nullish() });

const call = { id: z.string(), extra_content: anyObject.nullish() };

/**
 * Marks the end of the part that Anthropic caches. OpenRouter and other gateways accept this field in chat
 * completions.
 */
const cacheMark = { cache_control: z.looseObject({ ttl: z.string().nullish() }).nullish() };

const urlOf = <Rest extends z.ZodRawShape>(rest: Rest) =>
  z.union([z.looseObject({ url: z.string(), ...rest }), z.string().transform((url) => ({ url }))]);

const answerImage = z.looseObject({ image_url: urlOf({}), extra_content: anyObject.nullish() });

/** Fields of a request message in addition to the role and content that the contract validates. */
export const inputMessage = z.looseObject({
  name: z.string().nullish(),
  tool_call_id: z.string().nullish(),
  refusal: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
  reasoning_details: z.array(reasoningDetail).nullish(),
  function_call: calledFunction.nullish(),
  images: z.array(answerImage).nullish(),
  ...cacheMark,
  tool_calls: z
    .array(
      z.discriminatedUnion('type', [
        z.looseObject({ type: z.literal('function').default('function'), ...call, function: calledFunction }),
        z.looseObject({ type: z.literal('custom'), ...call, custom: calledFreeform }),
      ]),
    )
    .nullish(),
});

export type InputMessage = z.infer<typeof inputMessage>;

export const inputPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), ...cacheMark }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
  z.object({
    type: z.literal('image_url'),
    image_url: urlOf({ detail: z.enum(['low', 'high', 'auto', 'original']).nullish() }),
    ...cacheMark,
  }),
  z.object({
    type: z.literal('input_audio'),
    input_audio: z.object({ data: z.string(), format: z.string() }),
    ...cacheMark,
  }),
  z.object({
    type: z.literal('file'),
    file: z.object({
      file_data: z.string().nullish(),
      file_id: z.string().nullish(),
      filename: z.string().nullish(),
    }),
    ...cacheMark,
  }),
  z.object({
    type: z.literal('document_url'),
    document_url: z.string(),
    document_name: z.string().nullish(),
    ...cacheMark,
  }),
  z.object({
    type: z.literal('thinking'),
    thinking: z.array(z.looseObject({ text: z.string().nullish() })),
  }),
]);

export type InputPart = z.infer<typeof inputPart>;

/** Mistral's clients omit the type. */
const anyTool = z.looseObject({ type: z.string().default('function') });

export const functionTool = z.looseObject({
  ...cacheMark,
  function: z.looseObject({
    ...cacheMark,
    name: z.string(),
    description: z.string().nullish(),
    parameters: anyObject.nullish(),
    strict: z.boolean().nullish(),
  }),
});

export const customTool = z.looseObject({
  ...cacheMark,
  custom: z.looseObject({
    name: z.string(),
    description: z.string().nullish(),
    format: z
      .looseObject({
        grammar: z.looseObject({ syntax: z.string().nullish(), definition: z.string() }).nullish(),
      })
      .nullish(),
  }),
});

const named = z.looseObject({ name: z.string() });

/** Tool identified by name. `name` is undefined for tools that only the provider can run. */
const namedTool = z
  .looseObject({ type: z.string(), function: named.nullish(), custom: named.nullish() })
  .transform(({ type, function: called, custom }) => ({ type, name: called?.name ?? custom?.name }));

export const inputToolChoice = z.union([
  z.enum(['auto', 'none', 'required']),
  z.literal('any').transform(() => 'required' as const),
  z
    .looseObject({
      type: z.literal('allowed_tools'),
      allowed_tools: z.looseObject({ mode: z.enum(['auto', 'required']), tools: z.array(namedTool) }),
    })
    .transform(({ allowed_tools: allowed }) => allowed),
  namedTool.refine(({ type }) => type !== 'allowed_tools'),
]);

export const inputResponseFormat = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text') }),
  z.object({ type: z.literal('json_object') }),
  z.object({
    type: z.literal('json_schema'),
    json_schema: z.looseObject({
      name: z.string(),
      description: z.string().nullish(),
      schema: anyObject.nullish(),
      strict: z.boolean().nullish(),
    }),
  }),
]);

const effort = z
  .enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'ultra'])
  .transform((word) => (word === 'max' || word === 'ultra' ? 'xhigh' : word));
const budget = z.number().int().min(0);

/** Request fields that are only needed for translation. The contract validates all other fields. */
export const inputFields = z.looseObject({
  tools: z.array(anyTool).nullish(),
  tool_choice: inputToolChoice.nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  response_format: inputResponseFormat.nullish(),
  top_k: z.number().int().min(0).nullish(),
  logit_bias: z.record(z.string(), z.number()).nullish(),
  logprobs: z.boolean().nullish(),
  top_logprobs: z.number().int().min(0).max(20).nullish(),
  reasoning_effort: effort.nullish(),
  reasoning: z
    .looseObject({
      effort: effort.nullish(),
      max_tokens: budget.nullish(),
      enabled: z.boolean().nullish(),
      exclude: z.boolean().nullish(),
    })
    .nullish(),
  thinking: z
    .looseObject({ type: z.enum(['enabled', 'disabled', 'adaptive']), budget_tokens: budget.nullish() })
    .nullish(),
  enable_thinking: z.boolean().nullish(),
  thinking_budget: budget.nullish(),
  include_reasoning: z.boolean().nullish(),
  random_seed: z.number().int().nullish(),
  safety_identifier: z.string().nullish(),
  prompt_cache_key: z.string().nullish(),
  verbosity: z.string().nullish(),
});

export type InputFields = z.infer<typeof inputFields>;

/** Returns `null` for anything but a JSON object. */
export function parseAnswer(text: string): WireAnswer | null {
  return parseObject(text);
}

/** Returns whether a response or a chunk is an error, in the form of any vendor, instead of a completion. */
export function isError(answer: WireAnswer): boolean {
  if (answer.error || answer.object === 'error') return true;
  return answer.choices === undefined && answer.usage === undefined && findErrorWords(answer) !== null;
}

export function isCompletion({ choices }: WireAnswer): boolean {
  return Array.isArray(choices) && choices.every((choice) => isObject(choice?.message));
}

export const embeddings = z.looseObject({
  data: z.array(z.looseObject({ index: count.nullish(), embedding: z.unknown() })),
  model: z.string().nullish().catch(null),
  usage: z.looseObject({ prompt_tokens: count.nullish() }).nullish().catch(null),
});

const code = z.union([z.string(), z.number()]).nullish().catch(null);

export const errorFacts = z.looseObject({
  code,
  type: z.string().nullish().catch(null),
  param: z.string().nullish().catch(null),
  status: code,
  status_code: code,
});

export const errorBody = z
  .looseObject({ error: errorFacts.optional().catch(undefined) })
  .catch({ error: undefined });
