import { z } from 'zod';

const count = z.number().int().min(0).max(2_000_000_000);

/** `prompt_tokens` includes cached ones, `completion_tokens` includes reasoning, but at xAI (protocol notes U1, U6). */
export const usage = z.looseObject({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count.nullish().catch(null),
  prompt_tokens_details: z.looseObject({ cached_tokens: count.nullish() }).nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: count.nullish() }).nullish(),
});

export const completion = z.looseObject({
  model: z.string(),
  choices: z.array(
    z.looseObject({
      message: z.looseObject({ content: z.union([z.string(), z.array(z.unknown())]).nullish() }),
      finish_reason: z.string().nullish(),
    }),
  ),
  usage: z.unknown().optional(),
});

export const textPart = z.object({ type: z.literal('text'), text: z.string() });

export interface WireDelta {
  content?: unknown;
  tool_calls?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
}

interface WireChoice {
  index?: number;
  delta?: WireDelta | null;
  finish_reason?: unknown;
}

/** Only what the tap reads; providers add fields and leave others out. */
export interface WireChunk {
  choices?: (WireChoice | null)[] | null;
  usage?: unknown;
  error?: unknown;
}

const errorFacts = z.object({
  code: z.union([z.string(), z.number()]).nullish().catch(null),
  param: z.string().nullish().catch(null),
});

/** The code and param of an error, which stand within it or beside it. */
export const providerError = z.union([
  z.object({ error: errorFacts }).transform(({ error }) => error),
  errorFacts,
  z.array(z.unknown()).transform(() => ({ code: null, param: null })),
]);
