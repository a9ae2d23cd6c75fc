import { z } from 'zod';
import { parseExactly } from '../json/exact-json.ts';
import { isObject } from '../json/json-value.ts';

const count = z.number().int().min(0).max(2_000_000_000);

/** The counters of an answer's last line; the prompt's is absent when the prompt was cached. */
export const counters = z.looseObject({
  prompt_eval_count: count.nullish().catch(null),
  eval_count: count.nullish().catch(null),
});

export interface WireToolCall {
  readonly id?: unknown;
  /** `arguments` is an object here. */
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

/** A whole answer or a line of one: no schema, because a stream brings thousands of them. */
export interface WireAnswer {
  readonly model?: unknown;
  readonly created_at?: unknown;
  readonly message?: {
    readonly content?: unknown;
    readonly thinking?: unknown;
    readonly tool_calls?: unknown;
  } | null;
  readonly done?: unknown;
  readonly done_reason?: unknown;
  readonly error?: unknown;
}

/** A JSON object, or `null` for anything else; long numbers in the arguments of calls keep their digits. */
export function parseAnswer(text: string): WireAnswer | null {
  try {
    const value = parseExactly(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The answer to a request for embeddings. */
export const embeddings = z.looseObject({
  model: z.string().nullish().catch(null),
  embeddings: z.unknown(),
  prompt_eval_count: count.nullish().catch(null),
});
