import { z } from 'zod';

/** A field that was refused: where it is (`["body", "email"]`), why, and the rule's kind. */
export const fieldProblem = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
});

export type FieldProblem = z.infer<typeof fieldProblem>;

/** Every error of the management surface. */
export const managementError = z.object({
  detail: z.union([z.string(), z.array(fieldProblem)]),
  request_id: z.string().optional(),
});

/** OpenAI's error shape, the public surface's answer to OpenAI's clients. */
export const openaiError = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});

/** Anthropic's, for its clients. */
export const anthropicError = z.object({
  type: z.literal('error'),
  error: z.object({ type: z.string(), message: z.string() }),
  request_id: z.string(),
});

/** Google's, for its clients. */
export const googleError = z.object({
  error: z.object({ code: z.number().int(), message: z.string(), status: z.string() }),
});
