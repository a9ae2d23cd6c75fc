import {
  anyBoolean,
  anyObject,
  anyString,
  arrayOf,
  type Check,
  fields,
  integerWithin,
  mapOf,
  nullable,
  numberWithin,
  oneOf,
  optional,
  stringOr,
  taggedBy,
} from '../request/checks.ts';
import { item } from './input-items.ts';
import { ofHostedTools, tool, toolName } from './tools.ts';

const effort = oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max');
const summary = oneOf('auto', 'concise', 'detailed');

/** All documented parameters of a response. The API rejects all others, and so does the sandbox. */
export const parameters: Record<string, Check> = {
  model: anyString,
  input: stringOr(arrayOf(item, 1)),
  access_programs: anyObject,
  background: nullable(anyBoolean),
  client_metadata: nullable(mapOf(anyString, 16)),
  context_management: nullable(arrayOf(anyObject)),
  conversation: nullable(stringOr(anyObject)),
  image: anyObject,
  include: nullable(
    arrayOf(
      oneOf(
        ...['file_search_call.results', 'web_search_call.results', 'web_search_call.action.sources'],
        ...['message.input_image.image_url', 'computer_call_output.output.image_url'],
        ...['code_interpreter_call.outputs', 'reasoning.encrypted_content', 'message.output_text.logprobs'],
      ),
    ),
  ),
  instructions: nullable(anyString),
  max_output_tokens: nullable(integerWithin(16)),
  max_tool_calls: nullable(integerWithin(1)),
  metadata: nullable(mapOf(anyString, 16)),
  moderation: nullable(anyObject),
  parallel_tool_calls: nullable(anyBoolean),
  previous_response_id: nullable(anyString),
  prompt: nullable(anyObject),
  prompt_cache_key: nullable(anyString),
  prompt_cache_options: anyObject,
  prompt_cache_retention: nullable(oneOf('in_memory', '24h')),
  reasoning: nullable(
    fields({
      effort: optional(nullable(effort)),
      summary: optional(nullable(summary)),
      generate_summary: optional(nullable(summary)),
    }),
  ),
  safety_identifier: nullable(anyString),
  service_tier: nullable(oneOf('auto', 'default', 'flex', 'scale', 'priority', 'fast')),
  store: nullable(anyBoolean),
  stream: nullable(anyBoolean),
  stream_options: nullable(fields({ include_obfuscation: optional(anyBoolean) })),
  temperature: nullable(numberWithin(0, 2)),
  text: fields({
    format: optional(
      taggedBy('type', {
        text: anyObject,
        json_object: anyObject,
        json_schema: fields({ name: toolName, schema: anyObject, strict: optional(nullable(anyBoolean)) }),
      }),
    ),
    verbosity: optional(nullable(oneOf('low', 'medium', 'high'))),
  }),
  tool_choice: stringOr(
    taggedBy('type', {
      function: fields({ name: anyString, namespace: optional(anyString) }),
      custom: fields({ name: anyString }),
      allowed_tools: fields({ mode: oneOf('auto', 'required'), tools: arrayOf(anyObject) }),
      ...ofHostedTools,
    }),
    oneOf('none', 'auto', 'required'),
  ),
  tools: arrayOf(tool),
  top_logprobs: nullable(integerWithin(0, 20)),
  top_p: nullable(numberWithin(0, 1)),
  truncation: nullable(oneOf('auto', 'disabled')),
  user: anyString,
};
