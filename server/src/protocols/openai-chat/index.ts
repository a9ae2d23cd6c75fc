import type { Protocol } from '../protocol.ts';
import { embeddings } from './embeddings.ts';
import { encodeError, encodeStreamError, readErrorMessage } from './errors.ts';
import { parseRequest, readRequest } from './read-request.ts';
import { encodeInSteps, encodeRequest } from './request-encoder.ts';
import { decodeResponse, encodeResponse } from './response.ts';
import { sharedAccountRequest } from './shared-account.ts';
import { createStreamDecoder } from './stream-decoder.ts';
import { createStreamEncoder, streamEnd } from './stream-encoder.ts';

export const openaiChat = {
  id: 'openai-chat',
  caller: {
    readRequest,
    parseRequest,
    encodeResponse,
    createStreamEncoder,
    encodeError,
    encodeStreamError,
    streamContentType: 'text/event-stream; charset=utf-8',
    streamEnd,
  },
  provider: {
    encodeInSteps,
    encodeRequest,
    sharedAccountRequest,
    decodeResponse,
    createStreamDecoder,
    framing: 'sse',
    readErrorMessage,
    embeddings,
  },
} satisfies Protocol;
