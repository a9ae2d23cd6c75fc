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

/** OpenAI's error shape, the public surface's answer to OpenAI clients. */
export const openaiError = z.object({
  error: z.object({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});
