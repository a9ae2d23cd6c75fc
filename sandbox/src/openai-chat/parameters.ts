import {
  all,
  anyBoolean,
  anyObject,
  anyString,
  arrayOf,
  type Check,
  fields,
  integerWithin,
  isObject,
  mapOf,
  matching,
  nullable,
  numberWithin,
  oneOf,
  optional,
  stringOr,
  taggedBy,
} from '../request/checks.ts';
import { pictureAddress } from '../request/media.ts';
import { invalidRequest } from '../request/problem.ts';

const name = optional(anyString);
const text = fields({ text: anyString });
const refusal = fields({ refusal: anyString });
const call = fields({ name: anyString, arguments: anyString });
const callId = matching(/^.{1,40}$/s, 'must have 1 to 40 characters');

const textContent = stringOr(arrayOf(taggedBy('type', { text }), 1));

const userContent = stringOr(
  arrayOf(
    taggedBy('type', {
      text,
      image_url: fields({
        image_url: fields({
          url: pictureAddress,
          detail: optional(oneOf('auto', 'low', 'high', 'original')),
        }),
      }),
      input_audio: fields({ input_audio: fields({ data: anyString, format: oneOf('wav', 'mp3') }) }),
      file: fields({ file: anyObject }),
    }),
    1,
  ),
);

const toolCall = taggedBy('type', {
  function: fields({ id: callId, function: call }),
  custom: fields({ id: callId, custom: fields({ name: anyString, input: anyString }) }),
});

const message = taggedBy('role', {
  developer: fields({ content: textContent, name }),
  system: fields({ content: textContent, name }),
  user: fields({ content: userContent, name }),
  assistant: all(
    fields({
      content: optional(nullable(stringOr(arrayOf(taggedBy('type', { text, refusal }))))),
      refusal: optional(nullable(anyString)),
      audio: optional(nullable(fields({ id: anyString }))),
      tool_calls: optional(arrayOf(toolCall, 1)),
      function_call: optional(nullable(call)),
      name,
    }),
    requireContent,
  ),
  tool: fields({ content: textContent, tool_call_id: callId }),
  function: fields({ content: nullable(anyString), name: anyString }),
});

function requireContent(message: unknown, path: string): void {
  const { content, refusal: refused, audio, tool_calls: calls, function_call: legacyCall } = Object(message);
  if ([content, refused, audio, calls, legacyCall].some((said) => said !== undefined && said !== null))
    return;
  throw invalidRequest('invalid_type', `${path}.content`, 'a message without tool calls needs content');
}

/** Omits images, audio and files. */
export function textOfContent(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (isObject(part) && typeof part.text === 'string' ? part.text : '')).join('');
}

const named = fields({ name: anyString });
const functionShape = fields({
  name: matching(/^[a-zA-Z0-9_-]{1,64}$/, 'must consist of 1 to 64 letters, digits, _ and -'),
  description: optional(anyString),
  parameters: optional(anyObject),
  strict: optional(nullable(anyBoolean)),
});
const moderationMode = optional(nullable(fields({ mode: oneOf('score', 'block') })));

/**
 * All documented parameters of a chat completion. The sandbox rejects unknown parameters, so that tests detect
 * parameters that the gateway leaks.
 */
export const parameters: Record<string, Check> = {
  model: anyString,
  messages: arrayOf(message, 1),
  audio: nullable(
    fields({
      format: oneOf('wav', 'aac', 'mp3', 'flac', 'opus', 'pcm16'),
      voice: stringOr(fields({ id: anyString })),
    }),
  ),
  frequency_penalty: nullable(numberWithin(-2, 2)),
  function_call: stringOr(named, oneOf('none', 'auto')),
  functions: arrayOf(functionShape, 1),
  logit_bias: nullable(mapOf(numberWithin(-100, 100))),
  logprobs: nullable(anyBoolean),
  max_completion_tokens: nullable(integerWithin(1)),
  max_tokens: nullable(integerWithin(1)),
  metadata: nullable(mapOf(anyString, 16)),
  modalities: nullable(arrayOf(oneOf('text', 'audio'), 1)),
  moderation: nullable(
    fields({
      model: anyString,
      policy: optional(nullable(fields({ input: moderationMode, output: moderationMode }))),
    }),
  ),
  n: nullable(integerWithin(1, 128)),
  parallel_tool_calls: anyBoolean,
  prediction: nullable(taggedBy('type', { content: fields({ content: textContent }) })),
  presence_penalty: nullable(numberWithin(-2, 2)),
  prompt_cache_key: nullable(anyString),
  prompt_cache_options: fields({
    mode: optional(oneOf('implicit', 'explicit')),
    ttl: optional(oneOf('30m')),
  }),
  prompt_cache_retention: nullable(oneOf('in_memory', '24h')),
  reasoning_effort: nullable(oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max')),
  response_format: taggedBy('type', {
    text: anyObject,
    json_object: anyObject,
    json_schema: fields({ json_schema: fields({ name: anyString, schema: optional(anyObject) }) }),
  }),
  safety_identifier: nullable(anyString),
  seed: nullable(integerWithin(Number.MIN_SAFE_INTEGER)),
  service_tier: nullable(oneOf('auto', 'default', 'flex', 'scale', 'priority', 'fast')),
  stop: nullable(stringOr(arrayOf(anyString, 1, 4))),
  store: nullable(anyBoolean),
  stream: nullable(anyBoolean),
  stream_options: nullable(
    fields({ include_usage: optional(anyBoolean), include_obfuscation: optional(anyBoolean) }),
  ),
  temperature: nullable(numberWithin(0, 2)),
  tool_choice: stringOr(
    taggedBy('type', {
      function: fields({ function: named }),
      custom: fields({ custom: named }),
      allowed_tools: fields({
        allowed_tools: fields({ mode: oneOf('auto', 'required'), tools: arrayOf(anyObject) }),
      }),
    }),
    oneOf('none', 'auto', 'required'),
  ),
  tools: arrayOf(
    taggedBy('type', { function: fields({ function: functionShape }), custom: fields({ custom: named }) }),
    1,
  ),
  top_logprobs: nullable(integerWithin(0, 20)),
  top_p: nullable(numberWithin(0, 1)),
  user: anyString,
  verbosity: nullable(oneOf('low', 'medium', 'high')),
  web_search_options: fields({
    search_context_size: optional(oneOf('low', 'medium', 'high')),
    user_location: optional(nullable(anyObject)),
  }),
};
