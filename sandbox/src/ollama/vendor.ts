import type { Vendor } from '../http/vendor.ts';
import { bearerKey, checkKey } from '../request/api-key.ts';
import { chat } from './chat.ts';
import { embed } from './embed.ts';
import { encodeError } from './errors.ts';
import { listModels, showModel } from './model-list.ts';

/** Ollama: chats as JSON lines, embeddings, and models. It needs no key, but rejects a wrong one. */
export const ollama: Vendor = {
  name: 'ollama',
  owns: (path) => path.startsWith('/api/'),
  authorize(call) {
    const key = bearerKey(call);
    if (key !== undefined) checkKey(key, 'the header authorization');
  },
  headers: () => [],
  encodeError,
  routes: [
    { method: 'POST', path: /^\/api\/chat$/, answer: chat },
    { method: 'POST', path: /^\/api\/embed$/, answer: embed },
    { method: 'GET', path: /^\/api\/tags$/, answer: listModels },
    { method: 'POST', path: /^\/api\/show$/, answer: showModel },
  ],
};
