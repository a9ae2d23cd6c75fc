import type { Vendor } from '../http/vendor.ts';
import { completeChat } from '../openai-chat/complete-chat.ts';
import { createEmbeddings } from '../openai-embeddings/create-embeddings.ts';
import { createResponse } from '../openai-responses/create-response.ts';
import { bearerKey, checkKey } from '../request/api-key.ts';
import { encodeError } from './errors.ts';
import { listModels, showModel } from './model-list.ts';

/** OpenAI: chat completions, responses, embeddings, and its model list. */
export const openAi: Vendor = {
  name: 'openai',
  owns: () => true,
  authorize: (call) => checkKey(bearerKey(call), 'the header authorization'),
  headers: ({ id, startedAt }) => [
    ...['x-request-id', `req_${id}`],
    ...['openai-processing-ms', String(Date.now() - startedAt)],
  ],
  encodeError,
  routes: [
    { method: 'POST', path: /^\/v1\/chat\/completions$/, answer: completeChat },
    { method: 'POST', path: /^\/v1\/responses$/, answer: createResponse },
    { method: 'POST', path: /^\/v1\/embeddings$/, answer: createEmbeddings },
    { method: 'GET', path: /^\/v1\/models$/, answer: listModels },
    { method: 'GET', path: /^\/v1\/models\/(.+)$/, answer: showModel },
  ],
};
