import { z } from 'zod';
import { defineRoutes } from '../route.ts';

const block = z.looseObject({ type: z.string() });
const content = z.union([z.string(), z.array(block)]);

/** Used for the API reference. The gateway's own schema is stricter. */
const countTokensRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(z.looseObject({ role: z.string(), content })).min(1),
  system: content.nullish(),
  tools: z.array(z.looseObject({})).nullish(),
});

const createMessageRequest = countTokensRequest.extend({
  max_tokens: z.number().int().min(0),
  stream: z.boolean().nullish(),
});

const message = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(block),
  stop_reason: z.string().nullable(),
  usage: z.looseObject({ input_tokens: z.number().int(), output_tokens: z.number().int() }),
});

const anthropic = {
  method: 'POST',
  surface: 'public',
  dialect: 'anthropic',
  permission: 'completions.create',
} as const;

export const messagesRoutes = defineRoutes({
  createMessage: {
    ...anthropic,
    path: '/messages',
    summary: "Anthropic's messages, streaming or not",
    request: { body: createMessageRequest },
    response: message,
  },
  countMessageTokens: {
    ...anthropic,
    path: '/messages/count_tokens',
    summary: "Count the tokens of a message: the provider's count, or an upper estimate; free of charge",
    request: { body: countTokensRequest },
    response: z.object({ input_tokens: z.number().int() }),
  },
});
