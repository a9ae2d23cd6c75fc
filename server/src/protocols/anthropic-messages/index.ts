import type { Protocol } from '../protocol.ts';
import { encodeError, encodeStreamError, readErrorMessage } from './errors.ts';
import { parseRequest, readRequest } from './read-request.ts';
import { encodeInSteps, encodeRequest } from './request-encoder.ts';
import { decodeResponse, encodeResponse } from './response.ts';
import { sharedAccountRequest } from './shared-account.ts';
import { createStreamDecoder } from './stream-decoder.ts';
import { createStreamEncoder } from './stream-encoder.ts';

export const anthropicMessages: Required<Protocol> = {
  id: 'anthropic-messages',
  caller: {
    readRequest,
    parseRequest,
    encodeResponse,
    createStreamEncoder,
    encodeError,
    encodeStreamError,
    streamContentType: 'text/event-stream; charset=utf-8',
    lacksImages: true,
    parameterNames: {
      stop: 'stop_sequences',
      user: 'metadata.user_id',
      reasoning_effort: 'thinking',
      response_format: 'output_config.format',
      parallel_tool_calls: 'tool_choice.disable_parallel_tool_use',
    },
  },
  provider: {
    encodeInSteps,
    encodeRequest,
    requiresOutputCap: true,
    sharedAccountRequest,
    decodeResponse,
    createStreamDecoder,
    framing: 'sse',
    readErrorMessage,
  },
};
