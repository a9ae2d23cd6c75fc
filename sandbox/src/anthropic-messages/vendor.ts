import type { Call, Vendor } from '../http/vendor.ts';
import { bearerKey, checkKey } from '../request/api-key.ts';
import { invalidRequest } from '../request/problem.ts';
import { countMessageTokens, createMessage } from './create-message.ts';
import { encodeError } from './errors.ts';
import { listModels, showModel } from './model-list.ts';

/** Anthropic: messages, token counts, and the model list, which is distinguished from OpenAI's by a header. */
export const anthropic: Vendor = {
  name: 'anthropic',
  owns: (path, headers) =>
    path.startsWith('/v1/messages') ||
    (path.startsWith('/v1/models') && headers['anthropic-version'] !== undefined),
  authorize,
  headers: ({ id }) => ['request-id', `req_${id}`],
  encodeError,
  routes: [
    { method: 'POST', path: /^\/v1\/messages$/, answer: createMessage },
    { method: 'POST', path: /^\/v1\/messages\/count_tokens$/, answer: countMessageTokens },
    { method: 'GET', path: /^\/v1\/models$/, answer: listModels },
    { method: 'GET', path: /^\/v1\/models\/(.+)$/, answer: showModel },
  ],
};

function authorize(call: Call): void {
  const { 'x-api-key': key, 'anthropic-version': version } = call.request.headers;
  checkKey(typeof key === 'string' ? key : bearerKey(call), 'the header x-api-key');
  if (version === undefined) throw invalidRequest(null, null, 'anthropic-version: header is required');
}
