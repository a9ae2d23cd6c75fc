import { type Call, sendJson, type Vendor } from '../http/vendor.ts';
import { type Model, modelNames } from '../models/catalogue.ts';
import { findModel } from '../models/find-model.ts';
import { bearerKey, checkKey } from '../request/api-key.ts';
import { invalidRequest } from '../request/problem.ts';
import { chat } from './chat.ts';
import { embed } from './embed.ts';
import { encodeError } from './errors.ts';

/** The model list has the same path as OpenAI's and therefore requires the vendor prefix. */
export const cohere: Vendor = {
  name: 'cohere',
  owns: (path) => path.startsWith('/v2/'),
  authorize: (call) => checkKey(bearerKey(call), 'the Authorization header'),
  headers: ({ id }) => ['x-debug-trace-id', id],
  encodeError,
  routes: [
    { method: 'POST', path: /^\/v2\/chat$/, answer: chat },
    { method: 'POST', path: /^\/v2\/embed$/, answer: embed },
    { method: 'GET', path: /^\/v1\/models$/, answer: listModels },
    { method: 'GET', path: /^\/v1\/models\/(.+)$/, answer: showModel },
  ],
};

/** Defaults to the first 20 models. */
function listModels(call: Call): void {
  const size = Number(call.query.get('page_size') ?? 20);
  if (!Number.isInteger(size) || size < 1 || size > 1_000)
    throw invalidRequest(null, 'page_size', 'must be a number from 1 to 1000');
  const start = Number(call.query.get('page_token') ?? 0);
  if (!Number.isInteger(start)) throw invalidRequest(null, 'page_token', 'unknown page');
  const end = start + size;
  sendJson(call, 200, {
    models: modelNames.slice(start, end).map((name) => describe(findModel(name))),
    ...(end < modelNames.length && { next_page_token: String(end) }),
  });
}

/**
 * Accepts names with settings, although the model list does not contain them. Throws `RequestRefused` for an unknown
 * name.
 */
function showModel(call: Call, name: string): void {
  sendJson(call, 200, describe(findModel(name)));
}

function describe({ name, generates, embeds }: Model) {
  return {
    name,
    endpoints: [...(generates ? ['chat'] : []), ...(embeds ? ['embed'] : [])],
    finetuned: false,
    context_length: 256_000,
    tokenizer_url: null,
    default_endpoints: [],
    features: generates ? ['tools', 'vision', 'json_schema'] : null,
  };
}
