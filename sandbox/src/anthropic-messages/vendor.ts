import { type Call, sendJson, type Vendor } from '../http/vendor.ts';
import { modelNames } from '../models/catalogue.ts';
import { findModel } from '../models/find-model.ts';
import { bearerKey, checkKey } from '../request/api-key.ts';
import { invalidRequest } from '../request/problem.ts';
import { countMessageTokens, createMessage } from './create-message.ts';
import { encodeError } from './errors.ts';

/** A request header distinguishes the model list from OpenAI's. */
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
  checkKey(typeof key === 'string' ? key : bearerKey(call), 'the x-api-key header');
  if (version === undefined) throw invalidRequest(null, null, 'anthropic-version: header is required');
}

/** Defaults to the first 20 models. */
function listModels(call: Call): void {
  const limit = Number(call.query.get('limit') ?? 20);
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000)
    throw invalidRequest(null, 'limit', 'must be a number from 1 to 1000');
  const after = call.query.get('after_id');
  const start = after === null ? 0 : modelNames.indexOf(after) + 1;
  const page = modelNames.slice(start, start + limit);
  sendJson(call, 200, {
    data: page.map(describe),
    has_more: start + limit < modelNames.length,
    first_id: page.at(0) ?? null,
    last_id: page.at(-1) ?? null,
  });
}

/**
 * Accepts names with settings, although the model list does not contain them. Throws `RequestRefused` for an unknown
 * name.
 */
function showModel(call: Call, name: string): void {
  sendJson(call, 200, describe(findModel(name).name));
}

function describe(id: string) {
  return { type: 'model', id, display_name: id, created_at: '2023-11-14T00:00:00Z' };
}
