import type { CallerSide, Protocol } from '../protocol.ts';
import { embeddings } from './embeddings.ts';
import { encodeError, encodeStreamError, readErrorMessage } from './errors.ts';
import { parseRequest, readRequest } from './read-request.ts';
import { encodeInSteps, encodeRequest } from './request-encoder.ts';
import { decodeResponse, encodeResponse } from './response.ts';
import { sharedAccountRequest } from './shared-account.ts';
import { createStreamDecoder } from './stream-decoder.ts';
import { arrayStream, createStreamEncoder } from './stream-encoder.ts';

const caller: CallerSide = {
  readRequest,
  parseRequest,
  encodeResponse,
  createStreamEncoder,
  encodeError,
  encodeStreamError,
  streamContentType: 'text/event-stream; charset=utf-8',
  parameterNames: {
    messages: 'contents',
    tool_choice: 'toolConfig.functionCallingConfig',
    n: 'generationConfig.candidateCount',
    modalities: 'generationConfig.responseModalities',
    stop: 'generationConfig.stopSequences',
    max_tokens: 'generationConfig.maxOutputTokens',
    response_format: 'generationConfig.responseMimeType',
    reasoning_effort: 'generationConfig.thinkingConfig',
    temperature: 'generationConfig.temperature',
    top_p: 'generationConfig.topP',
    top_k: 'generationConfig.topK',
    seed: 'generationConfig.seed',
    presence_penalty: 'generationConfig.presencePenalty',
    frequency_penalty: 'generationConfig.frequencyPenalty',
    logprobs: 'generationConfig.responseLogprobs',
  },
};

/** Google's `generateContent` and, with `alt=sse`, `streamGenerateContent`. */
export const gemini = {
  id: 'gemini',
  caller,
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

/** Same protocol for callers of `streamGenerateContent` without `alt=sse`. */
export const geminiInArrays: typeof gemini = { ...gemini, caller: { ...caller, ...arrayStream } };
