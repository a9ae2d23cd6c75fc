import { z } from 'zod';
import { defineRoutes } from '../route.ts';

export const model = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number().int(),
  owned_by: z.string(),
});

export type Model = z.infer<typeof model>;

export const modelsRoutes = defineRoutes({
  listModels: {
    method: 'GET',
    path: '/models',
    surface: 'public',
    permission: 'models.read',
    summary: 'The models that the caller may use',
    response: z.object({ object: z.literal('list'), data: z.array(model) }),
  },
  getModel: {
    method: 'GET',
    path: '/models/{id}',
    surface: 'public',
    permission: 'models.read',
    summary: 'One model that the caller may use',
    request: { params: z.object({ id: z.string() }) },
    response: model,
  },
});
