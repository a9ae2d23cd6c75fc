import { z } from 'zod';
import { defineRoutes } from '../route.ts';

/** OpenAI's responses request as shown in the API reference; the gateway's own schema is stricter. */
const responsesRequest = z.looseObject({
  model: z.string().min(1),
  input: z.union([z.string(), z.array(z.looseObject({ type: z.string().nullish() }))]).nullish(),
  instructions: z.string().nullish(),
  stream: z.boolean().nullish(),
  max_output_tokens: z.number().int().min(1).nullish(),
  tools: z.array(z.looseObject({ type: z.string() })).nullish(),
});

const response = z.looseObject({
  id: z.string(),
  object: z.literal('response'),
  status: z.string().optional(),
  model: z.string(),
  output: z.array(z.looseObject({ type: z.string() })),
});

export const responsesRoutes = defineRoutes({
  createResponse: {
    method: 'POST',
    path: '/responses',
    surface: 'public',
    permission: 'completions.create',
    summary: "OpenAI's responses, streaming or not; no state is kept between requests",
    request: { body: responsesRequest },
    response,
  },
});
