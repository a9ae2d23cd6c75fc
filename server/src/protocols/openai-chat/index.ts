import type { Protocol } from '../protocol.ts';
import { encodeError, encodeStreamError, readErrorMessage } from './errors.ts';
import { parseRequest } from './request.ts';
import { encodeMinimal, parseCompletion } from './response.ts';
import { createStreamTap } from './stream.ts';

/** OpenAI's chat completions. */
export const openaiChat: Protocol = {
  id: 'openai-chat',
  parseRequest,
  parseCompletion,
  createStreamTap,
  encodeMinimal,
  encodeError,
  encodeStreamError,
  streamEnd: 'data: [DONE]\n\n',
  readErrorMessage,
};
