import type { Protocol } from '../protocol.ts';
import { embeddings } from './embeddings.ts';
import { readErrorMessage } from './errors.ts';
import { encodeInSteps, encodeRequest } from './request-encoder.ts';
import { decodeResponse } from './response.ts';
import { createStreamDecoder } from './stream-decoder.ts';

/** Cohere's chat and embeddings APIs, version 2. Only providers use this protocol, not callers. */
export const cohere = {
  id: 'cohere',
  provider: {
    encodeInSteps,
    encodeRequest,
    decodeResponse,
    createStreamDecoder,
    framing: 'sse',
    readErrorMessage,
    embeddings,
  },
} satisfies Protocol;
