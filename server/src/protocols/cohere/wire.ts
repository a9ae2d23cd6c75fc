import { z } from 'zod';
import { isObject, parseObject } from '#json/json-value.ts';

const count = z.number().int().min(0).max(2_000_000_000);
const tokens = z.looseObject({
  input_tokens: count.nullish(),
  output_tokens: count.nullish(),
  reasoning_tokens: count.nullish(),
  /** Image tokens, not included in `input_tokens`. */
  image_tokens: count.nullish(),
});

/**
 * Token counts: tokens processed (`tokens`), and tokens billed (`billed_units`), which exclude Cohere's own prompts.
 */
export const usage = z.looseObject({
  tokens: tokens.nullish().catch(null),
  billed_units: tokens.nullish().catch(null),
  cached_tokens: count.nullish().catch(null),
});

export interface WireContent {
  readonly text?: unknown;
  readonly thinking?: unknown;
}

export interface WireToolCall {
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

export interface WireMessage {
  readonly content?: unknown;
  readonly tool_plan?: unknown;
  readonly tool_calls?: unknown;
}

/** The fields are not validated. */
export interface WireAnswer {
  readonly id?: unknown;
  readonly message: WireMessage;
  readonly finish_reason?: unknown;
  readonly usage?: unknown;
  readonly error?: unknown;
}

/** There is no schema, because a stream contains thousands of events. */
export interface WireEvent {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly index?: unknown;
  readonly delta?: {
    /** In stream events, `content` and `tool_calls` are single objects: one part and one call. */
    readonly message?: WireMessage | null;
    readonly finish_reason?: unknown;
    readonly usage?: unknown;
    readonly error?: unknown;
  } | null;
}

export function parseAnswer(text: string): WireAnswer | null {
  const value = parseObject(text);
  return value && 'message' in value && isObject(value.message) ? { ...value, message: value.message } : null;
}

export const embeddings = z.looseObject({
  embeddings: z.looseObject({ float: z.unknown() }),
  meta: z.looseObject({ tokens: tokens.nullish(), billed_units: tokens.nullish() }).nullish().catch(null),
});

const code = z.union([z.string(), z.number()]).nullish().catch(null);

export const errorFacts = z.looseObject({
  error_type: z.string().nullish().catch(null),
  code,
  status: code,
  status_code: code,
});
