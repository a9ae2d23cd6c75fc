import { z } from 'zod';
import { defineRoutes } from '../route.ts';
import { taskId } from './completions.ts';

const tokens = z.array(z.number().int().min(0)).min(1);

/**
 * OpenAI's embeddings request: the fields that the gateway reads or checks; `task_id` is a Sluice extension and never
 * forwarded.
 */
export const embeddingsRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.string()).min(1), tokens, z.array(tokens).min(1)]),
  encoding_format: z.enum(['float', 'base64']).nullish(),
  dimensions: z.number().int().min(1).nullish(),
  user: z.string().nullish(),
  metadata: z.looseObject({ task_id: taskId.nullish() }).nullish(),
  task_id: taskId.nullish(),
});

export type EmbeddingsRequest = z.infer<typeof embeddingsRequest>;

const embeddings = z.looseObject({
  object: z.literal('list'),
  model: z.string(),
  data: z.array(
    z.looseObject({
      object: z.literal('embedding'),
      index: z.number().int(),
      embedding: z.union([z.array(z.number()), z.string()]),
    }),
  ),
  usage: z.looseObject({ prompt_tokens: z.number().int(), total_tokens: z.number().int() }),
});

export const embeddingsRoutes = defineRoutes({
  createEmbeddings: {
    method: 'POST',
    path: '/embeddings',
    surface: 'public',
    permission: 'embeddings.create',
    summary: "OpenAI's embeddings, for any provider that offers them",
    request: { body: embeddingsRequest },
    response: embeddings,
  },
});
