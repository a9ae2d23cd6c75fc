import type { Vendor } from '../http/vendor.ts';
import { bearerKey, checkKey } from '../request/api-key.ts';
import { chat } from './chat.ts';
import { embed } from './embed.ts';
import { encodeError } from './errors.ts';
import { listModels, showModel } from './model-list.ts';

/** Cohere: chat and embeddings. Its model list has the same path as OpenAI's, so it requires the vendor prefix. */
export const cohere: Vendor = {
  name: 'cohere',
  owns: (path) => path.startsWith('/v2/'),
  authorize: (call) => checkKey(bearerKey(call), 'the header authorization'),
  headers: ({ id }) => ['x-debug-trace-id', id],
  encodeError,
  routes: [
    { method: 'POST', path: /^\/v2\/chat$/, answer: chat },
    { method: 'POST', path: /^\/v2\/embed$/, answer: embed },
    { method: 'GET', path: /^\/v1\/models$/, answer: listModels },
    { method: 'GET', path: /^\/v1\/models\/(.+)$/, answer: showModel },
  ],
};
