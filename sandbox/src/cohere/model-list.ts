import { sendJson } from '../http/send.ts';
import type { Call } from '../http/vendor.ts';
import { type Model, modelNames } from '../models/catalogue.ts';
import { findModel } from '../models/find-model.ts';
import { invalidRequest } from '../request/problem.ts';

/** Responds with the requested page of the list; 20 models from the start by default. */
export function listModels(call: Call): void {
  const size = Number(call.query.get('page_size') ?? 20);
  if (!Number.isInteger(size) || size < 1 || size > 1_000)
    throw invalidRequest(null, 'page_size', 'it is a number from 1 to 1000');
  const start = Number(call.query.get('page_token') ?? 0);
  if (!Number.isInteger(start)) throw invalidRequest(null, 'page_token', 'there is no such page');
  const end = start + size;
  sendJson(call, 200, {
    models: modelNames.slice(start, end).map((name) => describe(findModel(name))),
    ...(end < modelNames.length && { next_page_token: String(end) }),
  });
}

/**
 * Responds with a model. Also accepts names with settings, which are not listed; throws `RequestRefused` for unknown
 * names.
 */
export function showModel(call: Call, name: string): void {
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
