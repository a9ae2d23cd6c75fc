import { describe, expect, it } from 'vitest';
import { answerContext } from '#test/requests/through-callers.ts';
import type { ProtocolId } from '../canonical/content.ts';
import type { ErrorFacts } from '../protocol.ts';
import { protocols } from '../registry.ts';
import { errorMeanings, findMeaning } from './error-meanings.ts';

const openai = (fields: object) => ({
  error: { message: 'no', type: 't', param: null, code: null, ...fields },
});
const claude = (type: string, message: string) => ({ type: 'error', error: { type, message } });
const google = (status: string, message: string) => ({ error: { code: 400, message, status } });

const errors: Readonly<Record<keyof typeof errorMeanings, readonly (readonly [ProtocolId, object])[]>> = {
  contextOverflow: [
    ['openai-chat', openai({ code: 'context_length_exceeded' })],
    [
      'openai-chat',
      openai({ message: "This model's maximum prompt length is 8192 but the request contains 9001 tokens" }),
    ],
    ['openai-chat', openai({ message: 'Please reduce the length of the messages or completion.' })],
    [
      'openai-chat',
      openai({
        message: 'the request exceeds the available context size',
        type: 'exceed_context_size_error',
      }),
    ],
    ['openai-chat', openai({ message: 'Your request exceeded model token limit: 8192 (requested: 9001)' })],
    ['openai-chat', { detail: 'Prompt is too long for this model' }],
    ['openai-chat', openai({ message: 'Prompt exceeds max length', code: '1261' })],
    ['openai-chat', openai({ message: 'Range of input length should be [1, 8192]' })],
    ['openai-chat', openai({ message: 'The prompt (length 9001) is longer than the maximum model length' })],
    [
      'openai-chat',
      {
        error: 'Input validation error: `inputs` must have less than 8192 tokens. Given: 9001',
        error_type: 'validation',
      },
    ],
    ['openai-chat', openai({ message: '`inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9001' })],
    ['openai-chat', openai({ message: 'The number of tokens in request more than max tokens allowed' })],
    ['anthropic-messages', claude('invalid_request_error', 'Input is too long for requested model.')],
    ['openai-responses', openai({ message: 'Your input exceeds the context window of this model.' })],
    ['anthropic-messages', claude('invalid_request_error', 'prompt is too long: 9001 tokens > 8192 maximum')],
    [
      'anthropic-messages',
      claude(
        'invalid_request_error',
        'input length and `max_tokens` exceed context limit: 8000 + 1001 > 8192',
      ),
    ],
    [
      'gemini',
      google(
        'INVALID_ARGUMENT',
        'The input token count (9001) exceeds the maximum number of tokens allowed (8192).',
      ),
    ],
    ['cohere', { message: 'too many tokens: total number of tokens in the prompt cannot exceed 8192' }],
    ['cohere', { message: 'size limit exceeded', error_type: 'TOO_MANY_TOKENS' }],
    ['ollama', { error: 'the input length exceeds the context length' }],
    ['ollama', { error: 'prompt too long; exceeded max context length by 809 tokens' }],
  ],
  noCredit: [
    ['openai-chat', openai({ type: 'insufficient_quota' })],
    [
      'openai-chat',
      openai({ message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' }),
    ],
    ['openai-chat', openai({ code: 402 })],
    [
      'anthropic-messages',
      claude('invalid_request_error', 'Your credit balance is too low to access the API.'),
    ],
    ['gemini', google('RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.')],
    ['cohere', { message: 'Please add or update your payment method.' }],
  ],
  contentPolicy: [
    [
      'openai-chat',
      openai({
        code: 'content_filter',
        message: "The response was filtered due to Azure OpenAI's content management policy.",
      }),
    ],
    ['openai-chat', openai({ message: 'Content Exists Risk', code: 'invalid_request_error' })],
    [
      'openai-chat',
      openai({ message: 'x requires moderation on y. Your input was flagged for "violence".', code: 403 }),
    ],
    ['openai-chat', { code: 'permission-denied', error: 'Content violates usage guidelines.' }],
    ['openai-responses', openai({ code: 'invalid_prompt', message: 'Invalid prompt.' })],
    ['anthropic-messages', claude('invalid_request_error', 'Output blocked by content filtering policy')],
    ['gemini', google('INVALID_ARGUMENT', 'The prompt contains prohibited content.')],
  ],
  invalidImage: [
    ['openai-chat', openai({ code: 'invalid_image_format' })],
    ['openai-responses', openai({ code: 'image_parse_error' })],
    ['openai-chat', openai({ message: 'cannot identify image file: failed to decode image' })],
    [
      'anthropic-messages',
      claude(
        'invalid_request_error',
        'messages.0.content.0.image.source.base64.data: Could not process image',
      ),
    ],
    [
      'anthropic-messages',
      claude('invalid_request_error', 'image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes'),
    ],
    ['gemini', google('INVALID_ARGUMENT', 'Unable to process input image. Please retry.')],
    ['gemini', google('INVALID_ARGUMENT', 'Provided image is not valid.')],
    ['ollama', { error: 'illegal base64 data at input byte 4' }],
  ],
  unknownModel: [
    ['openai-chat', openai({ code: 'model_not_found' })],
    [
      'openai-chat',
      openai({ code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' }),
    ],
    ['openai-chat', openai({ message: 'The model `x` does not exist.', type: 'NotFoundError', code: 404 })],
    ['openai-chat', openai({ message: 'Model Not Exist', code: 'invalid_request_error' })],
    ['openai-chat', openai({ message: 'x is not a valid model ID', code: 400 })],
    ['openai-chat', { object: 'error', message: 'Invalid model: x', type: 'invalid_model', code: '1500' }],
    ['anthropic-messages', claude('not_found_error', 'model: claude-x')],
    ['gemini', google('NOT_FOUND', 'models/x is not found for API version v1beta')],
    ['cohere', { message: "model 'x' not found, make sure the correct model ID was used" }],
    ['ollama', { error: "model 'x' not found" }],
  ],
  invalidKey: [
    ['openai-chat', openai({ message: 'Incorrect API key provided: x' })],
    ['anthropic-messages', claude('authentication_error', 'invalid x-api-key')],
    ['gemini', google('INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.')],
    ['cohere', { message: 'invalid api token' }],
    ['ollama', { error: 'unauthorized' }],
  ],
  rateLimit: [
    ['openai-chat', openai({ code: 'rate_limit_exceeded' })],
    ['openai-chat', openai({ code: 429 })],
    ['openai-chat', { message: 'Requests rate limit exceeded' }],
    ['openai-responses', openai({ code: 'rate_limit_exceeded' })],
    [
      'anthropic-messages',
      claude('rate_limit_error', 'This request would exceed the limit of 40,000 input tokens per minute'),
    ],
    [
      'gemini',
      google(
        'RESOURCE_EXHAUSTED',
        'You exceeded your current quota, please check your plan and billing details.',
      ),
    ],
    ['cohere', { message: 'You are using a Trial key, which is limited to 20 API calls / minute.' }],
    ['ollama', { error: 'too many requests' }],
  ],
  overload: [
    ['openai-chat', openai({ message: 'The engine is currently overloaded, please try again later' })],
    ['openai-responses', openai({ code: 'server_is_overloaded' })],
    ['openai-chat', openai({ code: 503 })],
    ['anthropic-messages', claude('overloaded_error', 'Overloaded')],
    ['gemini', google('UNAVAILABLE', 'The service is currently unavailable.')],
    ['cohere', { message: 'the model is over capacity' }],
    ['ollama', { error: 'server busy, please try again. maximum pending requests exceeded' }],
  ],
};

const cases = Object.entries(errors).flatMap(([name, list]) =>
  list.map(([protocol, body]) => [protocol, name, JSON.stringify(body)] as const),
);

it.each(cases)('readErrorMessage of %s finds the meaning %s in %s', (protocol, name, text) => {
  const said = protocols[protocol].provider.readErrorMessage(text);
  const meaning = Object.entries(errorMeanings).find(([, row]) => row === findMeaning(said?.code ?? null));
  expect(meaning?.[0]).toBe(name);
});

it.each([
  openai({ message: "Unsupported parameter: 'max_tokens' is not supported with this model." }),
  openai({ message: "The tool 'invalid api key finder' is unknown" }),
  openai({ message: 'max_tokens is too large: 5000. This model supports at most 4096 completion tokens.' }),
  openai({ message: "Item 'rs_1' not found. Items are not persisted when `store` is set to false." }),
  openai({ message: 'Invalid image_url parameter name', code: 'unknown_parameter' }),
  openai({ message: 'The server had an error while processing your request.' }),
  openai({ message: "Invalid schema for function 'capacity': the limit must be a number" }),
])('readErrorMessage finds no common meaning in $error.message', (body) => {
  const said = protocols['openai-chat'].provider.readErrorMessage(JSON.stringify(body));
  expect(findMeaning(said?.code ?? null)).toBeNull();
});

const callers = {
  'openai-chat': (error: object) => Reflect.get(Reflect.get(error, 'error'), 'code'),
  'openai-responses': (error: object) => Reflect.get(Reflect.get(error, 'error'), 'code'),
  'anthropic-messages': (error: object) => Reflect.get(Reflect.get(error, 'error'), 'type'),
  gemini: (error: object) => Reflect.get(Reflect.get(error, 'error'), 'status'),
} as const;

describe.each(Object.entries(callers))('errors for callers of %s', (protocol, readKind) => {
  const { caller } = protocols[protocol as keyof typeof callers]; // safe because these are the table's keys
  const rows = Object.entries(errorMeanings).filter(([, { caller: told }]) => told !== null);

  it.each(rows)(
    `encodeError and encodeStreamError of ${protocol} encode %s in the protocol's own terms`,
    (_, row) => {
      const facts: ErrorFacts = {
        code: row.code,
        providerCode: row.openai[0],
        status: row.status,
        message: 'no',
        param: null,
      };
      const kinds = { 'anthropic-messages': row.caller?.anthropic, gemini: row.caller?.google };
      const expected = Object.entries(kinds).find(([id]) => id === protocol)?.[1] ?? row.openai[0];
      expect(readKind(caller.encodeError(facts, 'r1'))).toBe(expected);
      expect(caller.encodeStreamError(facts, answerContext)).toContain(JSON.stringify(expected));
    },
  );
});
