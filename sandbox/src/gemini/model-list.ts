import { sendJson } from '../http/send.ts';
import type { Call } from '../http/vendor.ts';
import type { Model } from '../models/catalogue.ts';
import { modelNames } from '../models/catalogue.ts';
import { findModel } from '../models/find-model.ts';
import { invalidRequest } from '../request/problem.ts';

/** Responds with the requested page of the list; 50 models from the start by default. */
export function listModels(call: Call): void {
  const size = Number(call.query.get('pageSize') ?? 50);
  if (!Number.isInteger(size) || size < 1) throw invalidRequest(null, 'page_size', 'it is a number from 1');
  const start = Number(call.query.get('pageToken') ?? 0);
  if (!Number.isInteger(start)) throw invalidRequest(null, 'page_token', 'there is no such page');
  const end = start + Math.min(size, 1_000);
  sendJson(call, 200, {
    models: modelNames.slice(start, end).map((name) => describe(findModel(name))),
    ...(end < modelNames.length && { nextPageToken: String(end) }),
  });
}

/**
 * Responds with a model. Also accepts names with settings, which are not listed; throws `RequestRefused` for unknown
 * names.
 */
export function showModel(call: Call, name: string): void {
  sendJson(call, 200, describe(findModel(name)));
}

function describe({ name, generates, embeds, isReasoning }: Model) {
  return {
    name: `models/${name}`,
    version: '001',
    displayName: name,
    description: 'A model of the sandbox',
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: [
      ...(generates ? ['generateContent', 'countTokens'] : []),
      ...(embeds ? ['embedContent', 'batchEmbedContents'] : []),
    ],
    ...(isReasoning && { thinking: true }),
  };
}
