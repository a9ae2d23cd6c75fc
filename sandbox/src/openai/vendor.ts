import { type Call, sendJson, type Vendor } from '../http/vendor.ts';
import { modelNames } from '../models/catalogue.ts';
import { findModel } from '../models/find-model.ts';
import { completeChat } from '../openai-chat/complete-chat.ts';
import { createEmbeddings } from '../openai-embeddings/create-embeddings.ts';
import { createResponse } from '../openai-responses/create-response.ts';
import { bearerKey, checkKey } from '../request/api-key.ts';
import { encodeError } from './errors.ts';

export const openAi: Vendor = {
  name: 'openai',
  owns: () => true,
  authorize: (call) => checkKey(bearerKey(call), 'the Authorization header'),
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

function listModels(call: Call): void {
  sendJson(call, 200, { object: 'list', data: modelNames.map(describe) });
}

/**
 * Accepts names with settings, although the model list does not contain them. Throws `RequestRefused` for an unknown
 * name.
 */
function showModel(call: Call, name: string): void {
  sendJson(call, 200, describe(findModel(name).name));
}

function describe(id: string) {
  return { id, object: 'model', created: 1_700_000_000, owned_by: 'sandbox' };
}
