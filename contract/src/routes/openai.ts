import { z } from 'zod';
import { defineRoutes, type RouteRow } from '../route.ts';

export const taskId = z.union([
  z.number().int().min(1),
  z.string().regex(/^[1-9][0-9]{0,9}$/, 'must be a task id'),
]);

const message = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(z.looseObject({ type: z.string() })), z.null()]).optional(),
});

/**
 * Has the fields that the gateway reads or checks. Other fields pass through unchanged. `task_id`, `format` and
 * `metadata.task_id` are Sluice extensions and never sent to the provider.
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

const tokens = z.array(z.number().int().min(0)).min(1);

/** Has the fields that the gateway reads or checks. `task_id` is a Sluice extension and never forwarded. */
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

/** Used for the API reference. The gateway's own schema is stricter. */
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

/** The conversation is compacted or counted in tokens, and no response is generated. */
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

/** The route returns a 501 that lists the supported operations. */
const unsupported = <const Path extends RouteRow['path']>(path: Path) =>
  ({
    method: 'POST',
    path,
    surface: 'public',
    permission: 'completions.create',
    summary: 'Not supported: returns 501 and lists what is supported',
    response: z.never(),
    status: 501,
  }) as const;

export const unsupportedRoutes = defineRoutes({
  createLegacyCompletion: unsupported('/completions'),
  createModeration: unsupported('/moderations'),
  createImage: unsupported('/images/generations'),
  editImage: unsupported('/images/edits'),
  varyImage: unsupported('/images/variations'),
  createSpeech: unsupported('/audio/speech'),
  createTranscription: unsupported('/audio/transcriptions'),
  createTranslation: unsupported('/audio/translations'),
  rerank: unsupported('/rerank'),
});
