import { z } from 'zod';
import { decimalNumber } from '../decimal-number.ts';
import { defineRoutes } from '../route.ts';

const content = z.looseObject({
  role: z.string().nullish(),
  parts: z.array(z.looseObject({ text: z.string().optional() })),
});

/** Used for the API reference. The gateway's own schema is stricter. */
const generateContentRequest = z.looseObject({
  contents: z.array(content).min(1),
  systemInstruction: content.nullish(),
  generationConfig: z.looseObject({ maxOutputTokens: z.number().int().min(1).nullish() }).nullish(),
  tools: z.array(z.looseObject({})).nullish(),
});

const generateContentResponse = z.looseObject({
  candidates: z
    .array(z.looseObject({ content: content.optional(), finishReason: z.string().optional() }))
    .optional(),
  usageMetadata: z.looseObject({ totalTokenCount: z.number().int().optional() }).optional(),
});

const geminiModel = z.looseObject({
  name: z.string(),
  displayName: z.string(),
  supportedGenerationMethods: z.array(z.string()),
});

const google = { surface: 'public', dialect: 'google' } as const;

const generate = {
  ...google,
  method: 'POST',
  permission: 'completions.create',
  request: { params: z.object({ id: z.string() }), body: generateContentRequest },
} as const;

const generateContent = {
  ...generate,
  path: '/models/{id}:generateContent',
  summary: "Google's generateContent",
  response: generateContentResponse,
} as const;

const streamGenerateContent = {
  ...generate,
  path: '/models/{id}:streamGenerateContent',
  summary:
    "Google's streamGenerateContent: server-sent events with alt=sse, otherwise one streamed JSON array",
  response: z.array(generateContentResponse),
} as const;

const countTokens = {
  ...generate,
  path: '/models/{id}:countTokens',
  summary: "Count the tokens of a request: the provider's count, or an upper estimate; free of charge",
  response: z.looseObject({ totalTokens: z.number().int() }),
} as const;

const embedRequest = z.looseObject({
  content: z.looseObject({ parts: z.array(z.looseObject({ text: z.string() })) }),
  taskType: z.string().nullish(),
  outputDimensionality: z.number().int().min(1).nullish(),
});

const embedding = z.looseObject({ values: z.array(z.number()) });

const embed = {
  ...google,
  method: 'POST',
  permission: 'embeddings.create',
} as const;

const embedContent = {
  ...embed,
  path: '/models/{id}:embedContent',
  summary: "Google's embedContent, for any provider that offers embeddings",
  request: { params: z.object({ id: z.string() }), body: embedRequest },
  response: z.looseObject({ embedding }),
} as const;

const batchEmbedContents = {
  ...embed,
  path: '/models/{id}:batchEmbedContents',
  summary: "Google's batchEmbedContents, for any provider that offers embeddings",
  request: {
    params: z.object({ id: z.string() }),
    body: z.looseObject({ requests: z.array(embedRequest).min(1) }),
  },
  response: z.looseObject({ embeddings: z.array(embedding) }),
} as const;

const beta = '/api/v1beta';

/**
 * Google clients use `v1` or `v1beta`, which are equivalent here. `/v1/models` returns OpenAI's list. Below `v1beta`,
 * clients may send the API key in the query parameter `key`.
 */
export const geminiRoutes = defineRoutes({
  generateContent,
  streamGenerateContent,
  countGeminiTokens: countTokens,
  embedContent,
  batchEmbedContents,
  generateContentBeta: { ...generateContent, base: beta },
  streamGenerateContentBeta: { ...streamGenerateContent, base: beta },
  countGeminiTokensBeta: { ...countTokens, base: beta },
  embedContentBeta: { ...embedContent, base: beta },
  batchEmbedContentsBeta: { ...batchEmbedContents, base: beta },
  listGeminiModels: {
    ...google,
    base: beta,
    method: 'GET',
    path: '/models',
    permission: 'models.read',
    summary: "List the models that the caller may use, in Google's format",
    request: {
      query: z.object({
        pageSize: decimalNumber(z.int().min(1).max(1000)).optional(),
        pageToken: z.string().optional(),
      }),
    },
    response: z.object({ models: z.array(geminiModel), nextPageToken: z.string().optional() }),
  },
  getGeminiModel: {
    ...google,
    base: beta,
    method: 'GET',
    path: '/models/{id}',
    permission: 'models.read',
    summary: "Get a model that the caller may use, in Google's format",
    request: { params: z.object({ id: z.string() }) },
    response: geminiModel,
  },
});
