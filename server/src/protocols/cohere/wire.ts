import { z } from 'zod';
import { isObject, parseObject } from '../json/json-value.ts';

const count = z.number().int().min(0).max(2_000_000_000);
const tokens = z.looseObject({
  input_tokens: count.nullish(),
  output_tokens: count.nullish(),
  reasoning_tokens: count.nullish(),
  /** Beside the input's, not among them. */
  image_tokens: count.nullish(),
});

/** What a request took (`tokens`), and what Cohere writes on the bill, where its own prompts do not stand. */
export const usage = z.looseObject({
  tokens: tokens.nullish().catch(null),
  billed_units: tokens.nullish().catch(null),
  cached_tokens: count.nullish().catch(null),
});

/** A part of a message's content, whole or a piece of one. */
export interface WireContent {
  readonly text?: unknown;
  readonly thinking?: unknown;
}

export interface WireToolCall {
  readonly id?: unknown;
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

/** A message of an answer. */
export interface WireMessage {
  readonly content?: unknown;
  readonly tool_plan?: unknown;
  readonly tool_calls?: unknown;
}

/** A whole answer; fields are looked at before they are used. */
export interface WireAnswer {
  readonly id?: unknown;
  readonly message: WireMessage;
  readonly finish_reason?: unknown;
  readonly usage?: unknown;
}

/** An event of a stream: no schema, because a stream brings thousands of them. */
export interface WireEvent {
  readonly type?: unknown;
  readonly id?: unknown;
  readonly index?: unknown;
  readonly delta?: {
    /** `content` and `tool_calls` are objects here, of one part and one call. */
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

/** The answer to a request for embeddings as floats. */
export const embeddings = z.looseObject({
  embeddings: z.looseObject({ float: z.unknown() }),
  meta: z.looseObject({ tokens: tokens.nullish(), billed_units: tokens.nullish() }).nullish().catch(null),
});

export const errorFacts = z.looseObject({ error_type: z.string().nullish().catch(null) });
