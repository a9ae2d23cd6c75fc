import type { CallerSide, Protocol } from '../protocol.ts';
import { embeddings } from './embeddings.ts';
import { encodeError, encodeStreamError, readErrorMessage } from './errors.ts';
import { arrayStream } from './json-array.ts';
import { parseRequest } from './request.ts';
import { encodeRequest } from './request-encoder.ts';
import { decodeResponse, encodeResponse } from './response.ts';
import { createStreamDecoder } from './stream-decoder.ts';
import { createStreamEncoder } from './stream-encoder.ts';

const caller: CallerSide = {
  parseRequest,
  encodeResponse,
  createStreamEncoder,
  encodeError,
  encodeStreamError,
  streamContentType: 'text/event-stream; charset=utf-8',
};

/** Google's `generateContent` and, with `alt=sse`, `streamGenerateContent`. */
export const gemini = {
  id: 'gemini',
  caller,
  provider: {
    encodeRequest,
    decodeResponse,
    createStreamDecoder,
    framing: 'sse',
    readErrorMessage,
    embeddings,
  },
} satisfies Protocol;

/** The same for callers of `streamGenerateContent` who leave out `alt=sse`. */
export const geminiInArrays: typeof gemini = { ...gemini, caller: { ...caller, ...arrayStream } };
