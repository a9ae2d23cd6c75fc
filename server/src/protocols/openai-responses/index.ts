import type { Protocol } from '../protocol.ts';
import { encodeError, encodeStreamError, readErrorMessage } from './errors.ts';
import { parseRequest, readRequest } from './read-request.ts';
import { encodeInSteps, encodeRequest } from './request-encoder.ts';
import { decodeResponse, encodeResponse } from './response.ts';
import { sharedAccountRequest } from './shared-account.ts';
import { createStreamDecoder } from './stream-decoder.ts';
import { createStreamEncoder } from './stream-encoder.ts';

export const openaiResponses = {
  id: 'openai-responses',
  caller: {
    readRequest,
    parseRequest,
    encodeResponse,
    createStreamEncoder,
    encodeError,
    encodeStreamError,
    streamContentType: 'text/event-stream; charset=utf-8',
    parameterNames: {
      messages: 'input',
      max_tokens: 'max_output_tokens',
      reasoning_effort: 'reasoning.effort',
      response_format: 'text.format',
      logprobs: 'top_logprobs',
    },
  },
  provider: {
    encodeInSteps,
    encodeRequest,
    sharedAccountRequest,
    decodeResponse,
    createStreamDecoder,
    framing: 'sse',
    readErrorMessage,
  },
} satisfies Protocol;
