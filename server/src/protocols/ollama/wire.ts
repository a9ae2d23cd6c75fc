import { z } from 'zod';
import { parseExactly } from '#json/exact-json.ts';
import { isObject } from '#json/json-value.ts';

const count = z.number().int().min(0).max(2_000_000_000);

/** Token counters in a response's last line. `prompt_eval_count` is absent if the prompt was cached. */
export const counters = z.looseObject({
  prompt_eval_count: count.nullish().catch(null),
  eval_count: count.nullish().catch(null),
});

export interface WireToolCall {
  readonly id?: unknown;
  /** In Ollama's protocol, `arguments` is an object, not a JSON string. */
  readonly function?: { readonly name?: unknown; readonly arguments?: unknown } | null;
}

/** There is no schema, because a stream contains thousands of lines. */
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

/** Parses a JSON object; returns `null` for anything else. Long numbers in tool call arguments keep their digits. */
export function parseAnswer(text: string): WireAnswer | null {
  try {
    const value = parseExactly(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

export const embeddings = z.looseObject({
  model: z.string().nullish().catch(null),
  embeddings: z.unknown(),
  prompt_eval_count: count.nullish().catch(null),
});

const status = z.union([z.string(), z.number()]).nullish().catch(null);

/** HTTP status that Ollama Cloud includes in the body of an error. */
export const errorFacts = z.looseObject({ status, status_code: status });
