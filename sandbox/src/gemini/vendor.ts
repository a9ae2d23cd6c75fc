import type { Vendor } from '../http/vendor.ts';
import { bearerKey, checkKey } from '../request/api-key.ts';
import { batchEmbedContents, embedContent } from './embed-content.ts';
import { encodeError } from './errors.ts';
import { countContentTokens, generateContent, streamGenerateContent } from './generate-content.ts';
import { listModels, showModel } from './model-list.ts';

/** Gemini Developer API: contents with and without streaming, token counts, embeddings, and the model list. */
export const google: Vendor = {
  name: 'google',
  owns: (path, headers) =>
    path.startsWith('/v1beta/') ||
    /^\/v1\/models\/.+:\w+Content/.test(path) ||
    (path.startsWith('/v1/models') && headers['x-goog-api-key'] !== undefined),
  authorize(call) {
    const key = call.request.headers['x-goog-api-key'] ?? call.query.get('key') ?? bearerKey(call);
    checkKey(key?.toString(), 'the header x-goog-api-key');
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
