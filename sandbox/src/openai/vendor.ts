import type { Call, Vendor } from '../http/vendor.ts';
import { completeChat } from '../openai-chat/complete-chat.ts';
import { refuse } from '../request/problem.ts';
import { encodeError } from './errors.ts';
import { listModels, showModel } from './model-list.ts';

/** OpenAI: chat completions, and its list of models. */
export const openAi: Vendor = {
  name: 'openai',
  owns: () => true,
  authorize: authorizeBearer,
  headers: ({ id, startedAt }) => [
    ...['x-request-id', `req_${id}`],
    ...['openai-processing-ms', String(Date.now() - startedAt)],
  ],
  encodeError,
  routes: [
    { method: 'POST', path: /^\/v1\/chat\/completions$/, answer: completeChat },
    { method: 'GET', path: /^\/v1\/models$/, answer: listModels },
    { method: 'GET', path: /^\/v1\/models\/(.+)$/, answer: showModel },
  ],
};

function authorizeBearer({ request }: Call): void {
  const [, key] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (key === undefined) throw refuse('key_missing', 'No API key was given in the Authorization header.');
  if (key.startsWith('sk-wrong')) throw refuse('key_wrong', 'Incorrect API key provided.');
}
