import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';
import { defineRoutes } from '../route.ts';

const openaiModel = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number().int(),
  owned_by: z.string(),
  /** Not part of OpenAI's format. */
  input_modalities: z.array(z.enum(['text', 'image'])),
  output_modalities: z.array(z.string()),
});

const anthropicModel = z.object({
  type: z.literal('model'),
  id: z.string(),
  display_name: z.string(),
  created_at: z.string(),
});

const anthropicPage = z.object({
  data: z.array(anthropicModel),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});

/**
 * Requests with an `anthropic-version` header get lists in Anthropic's format, and Google clients get Google's
 * format. Paging follows the same format.
 */
export const modelsRoutes = defineRoutes({
  listModels: {
    method: 'GET',
    path: '/models',
    surface: 'public',
    permission: 'models.read',
    summary:
      "List the models that the caller may use, in OpenAI's format, or in Anthropic's or Google's for their clients",
    request: {
      query: z.object({
        limit: decimalNumber(z.int().min(1).max(1000)).optional(),
        after_id: z.string().optional(),
        before_id: z.string().optional(),
      }),
    },
    response: z.union([z.object({ object: z.literal('list'), data: z.array(openaiModel) }), anthropicPage]),
  },
  getModel: {
    method: 'GET',
    path: '/models/{id}',
    surface: 'public',
    permission: 'models.read',
    summary: 'Get a model that the caller may use',
    request: { params: z.object({ id: z.string() }) },
    response: z.union([openaiModel, anthropicModel]),
  },
});
