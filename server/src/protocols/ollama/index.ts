import type { Protocol } from '../protocol.ts';
import { embeddings } from './embeddings.ts';
import { readErrorMessage } from './errors.ts';
import { encodeRequest } from './request-encoder.ts';
import { decodeResponse } from './response.ts';
import { createStreamDecoder } from './stream-decoder.ts';

/** Ollama's own chat and embeddings, which only providers speak. */
export const ollama = {
  id: 'ollama',
  provider: {
    encodeRequest,
    decodeResponse,
    createStreamDecoder,
    framing: 'ndjson',
    readErrorMessage,
    embeddings,
  },
} satisfies Protocol;
