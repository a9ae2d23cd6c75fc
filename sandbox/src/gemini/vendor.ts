import { type Call, sendJson, type Vendor } from '../http/vendor.ts';
import { type Model, modelNames } from '../models/catalogue.ts';
import { findModel } from '../models/find-model.ts';
import { bearerKey, checkKey } from '../request/api-key.ts';
import { invalidRequest } from '../request/problem.ts';
import { batchEmbedContents, embedContent } from './embed-content.ts';
import { encodeError } from './errors.ts';
import { countContentTokens, generateContent, streamGenerateContent } from './generate-content.ts';

export const google: Vendor = {
  name: 'google',
  owns: (path, headers) =>
    path.startsWith('/v1beta/') ||
    /^\/v1\/models\/.+:\w+Content/.test(path) ||
    (path.startsWith('/v1/models') && headers['x-goog-api-key'] !== undefined),
  authorize(call) {
    const key = call.request.headers['x-goog-api-key'] ?? call.query.get('key') ?? bearerKey(call);
    checkKey(key?.toString(), 'the x-goog-api-key header');
  },
  headers: () => ['server-timing', 'gfet4t7; dur=1'],
  encodeError,
  routes: [
    { method: 'POST', path: /^\/v1(?:beta)?\/models\/(.+):generateContent$/, answer: generateContent },
    {
      method: 'POST',
      path: /^\/v1(?:beta)?\/models\/(.+):streamGenerateContent$/,
      answer: streamGenerateContent,
    },
    { method: 'POST', path: /^\/v1(?:beta)?\/models\/(.+):countTokens$/, answer: countContentTokens },
    { method: 'POST', path: /^\/v1(?:beta)?\/models\/(.+):embedContent$/, answer: embedContent },
    { method: 'POST', path: /^\/v1(?:beta)?\/models\/(.+):batchEmbedContents$/, answer: batchEmbedContents },
    { method: 'GET', path: /^\/v1(?:beta)?\/models$/, answer: listModels },
    { method: 'GET', path: /^\/v1(?:beta)?\/models\/(.+)$/, answer: showModel },
  ],
};

/** Defaults to the first 50 models. */
function listModels(call: Call): void {
  const size = Number(call.query.get('pageSize') ?? 50);
  if (!Number.isInteger(size) || size < 1)
    throw invalidRequest(null, 'page_size', 'must be a number of at least 1');
  const start = Number(call.query.get('pageToken') ?? 0);
  if (!Number.isInteger(start)) throw invalidRequest(null, 'page_token', 'unknown page');
  const end = start + Math.min(size, 1_000);
  sendJson(call, 200, {
    models: modelNames.slice(start, end).map((name) => describe(findModel(name))),
    ...(end < modelNames.length && { nextPageToken: String(end) }),
  });
}

/**
 * Accepts names with settings, although the model list does not contain them. Throws `RequestRefused` for an unknown
 * name.
 */
function showModel(call: Call, name: string): void {
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
