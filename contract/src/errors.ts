import { z } from 'zod';

/** Rejected field: its path (`["body", "email"]`), the reason, and the type of the violated rule. */
export const fieldProblem = z.object({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
});

export type FieldProblem = z.infer<typeof fieldProblem>;

/** Error response of the management surface. */
export const managementError = z.object({
  detail: z.union([z.string(), z.array(fieldProblem)]),
  request_id: z.string().optional(),
});

/** OpenAI's error format, the default of the public surface. */
export const openaiError = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});

/** Anthropic's error format, for its clients. */
export const anthropicError = z.object({
  type: z.literal('error'),
  error: z.object({ type: z.string(), message: z.string() }),
  request_id: z.string(),
});

/** Google's error format, for its clients. */
export const googleError = z.object({
  error: z.object({ code: z.number().int(), message: z.string(), status: z.string() }),
});
