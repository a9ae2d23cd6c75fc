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

/** A conversation to count or to compact; nothing of it is generated. */
const conversationRequest = responsesRequest.omit({ stream: true, max_output_tokens: true });

const compaction = z.looseObject({
  id: z.string(),
  object: z.string(),
  output: z.array(z.looseObject({ type: z.string() })),
});

const openai = { method: 'POST', surface: 'public', permission: 'completions.create' } as const;

export const responsesRoutes = defineRoutes({
  countResponseTokens: {
    ...openai,
    path: '/responses/input_tokens',
    summary:
      "Count the tokens of a response's input: the provider's count, or an upper estimate; free of charge",
    request: { body: conversationRequest },
    response: z.object({ object: z.literal('response.input_tokens'), input_tokens: z.number().int() }),
  },
  compactResponse: {
    ...openai,
    path: '/responses/compact',
    summary: "OpenAI's compaction of a conversation, for models of OpenAI and Azure OpenAI",
    request: { body: conversationRequest },
    response: compaction,
  },
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
