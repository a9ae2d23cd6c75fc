import { z } from 'zod';
import { defineRoutes } from '../route.ts';

export const taskId = z.union([
  z.number().int().min(1),
  z.string().regex(/^[1-9][0-9]{0,9}$/, 'must be a task id'),
]);

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() })), z.null()]).optional(),
});

/**
 * OpenAI's chat completion request: the fields that the gateway reads or checks; all others pass through unchanged.
 * `task_id`, `format` and `metadata.task_id` are Sluice extensions and never sent to the provider.
 */
export const chatCompletionRequest = z.looseObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().nullish() }).nullish(),
  max_tokens: z.number().int().min(1).nullish(),
  max_completion_tokens: z.number().int().min(1).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  top_p: z.number().min(0).max(1).nullish(),
  n: z.number().int().min(1).max(128).nullish(),
  stop: z.union([z.string(), z.array(z.string())]).nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  seed: z.number().int().nullish(),
  tools: z.array(z.looseObject({ type: z.string().optional() })).nullish(),
  user: z.string().nullish(),
  metadata: z.looseObject({ task_id: taskId.nullish() }).nullish(),
  task_id: taskId.nullish(),
  format: z.enum(['minimal', 'openai']).nullish(),
});

export type ChatCompletionRequest = z.infer<typeof chatCompletionRequest>;

const usage = z.looseObject({
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  total_tokens: z.number().int(),
});

const chatCompletion = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion'),
  model: z.string(),
  choices: z.array(z.looseObject({ index: z.number().int(), finish_reason: z.string().nullable() })),
  usage: usage.optional(),
});

/** Response to `format: "minimal"`. */
export const minimalCompletion = z.object({
  content: z.string().nullable(),
  model: z.string(),
  usage: usage.nullable(),
  task_id: z.number().int().nullable(),
  remaining_tokens: z.number().int().nullable(),
});

export type MinimalCompletion = z.infer<typeof minimalCompletion>;

export const completionsRoutes = defineRoutes({
  createChatCompletion: {
    method: 'POST',
    path: '/chat/completions',
    surface: 'public',
    permission: 'completions.create',
    summary: "OpenAI's chat completions, streaming or not",
    request: { body: chatCompletionRequest },
    response: z.union([chatCompletion, minimalCompletion]),
  },
});
