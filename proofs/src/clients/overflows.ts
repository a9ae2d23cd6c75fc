import type { ProtocolId } from '#protocols/canonical/content.ts';

const responsesError = {
  code: 'context_length_exceeded',
  message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
};

/** Vendors' errors for prompts that are too long. All have the status 400. */
export const overflows: Readonly<Record<ProtocolId, object>> = {
  'openai-chat': {
    object: 'error',
    message:
      "This model's maximum context length is 32768 tokens. However, you requested 41250 tokens in the messages. Please reduce the length of the messages.",
    type: 'BadRequestError',
    param: null,
    code: 400,
  },
  'openai-responses': { error: { ...responsesError, type: 'invalid_request_error', param: 'input' } },
  'anthropic-messages': {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'prompt is too long: 212345 tokens > 200000 maximum' },
  },
  gemini: {
    error: {
      code: 400,
      message: 'The input token count (1212345) exceeds the maximum number of tokens allowed (1048576).',
      status: 'INVALID_ARGUMENT',
    },
  },
  cohere: {
    id: '1f9c5b3e',
    message:
      "too many tokens: size limit exceeded by 11326 tokens. Try using shorter or fewer inputs, or setting prompt_truncation='AUTO'.",
  },
  ollama: { error: 'prompt too long; exceeded max context length by 1200 tokens' },
};

const failed = {
  type: 'response.failed',
  sequence_number: 1,
  response: {
    id: 'resp_overflow',
    object: 'response',
    created_at: 1,
    model: 'gpt-5.1-codex',
    output: [],
    usage: null,
    status: 'failed',
    error: responsesError,
  },
};
const created = {
  type: 'response.created',
  sequence_number: 0,
  response: { ...failed.response, status: 'in_progress', error: null },
};

/** Failing stream of the Responses API. OpenAI rejects long prompts after accepting the request. */
export const overflowStream = [created, failed]
  .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  .join('');
