import type { Protocol } from '../protocol.ts';
import { embeddings } from './embeddings.ts';
import { readErrorMessage } from './errors.ts';
import { encodeInSteps, encodeRequest } from './request-encoder.ts';
import { decodeResponse } from './response.ts';
import { createStreamDecoder } from './stream-decoder.ts';

/** Ollama's native chat and embeddings APIs. Only providers use this protocol, not callers. */
export const ollama = {
  id: 'ollama',
  provider: {
    encodeInSteps,
    encodeRequest,
    decodeResponse,
    createStreamDecoder,
    framing: 'ndjson',
    readErrorMessage,
    embeddings,
  },
} satisfies Protocol;
