import {
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
import { ofHostedTools, tool, toolName } from './tools.ts';

const id = optional(nullable(anyString));
const status = optional(nullable(oneOf('in_progress', 'completed', 'incomplete')));

const inputText = fields({ text: anyString });
const inputImage: Check = (value, path) => {
  fields({
    image_url: optional(nullable(pictureAddress)),
    file_id: id,
    detail: optional(oneOf('auto', 'low', 'high', 'original')),
  })(value, path);
  if (isObject(value) && !value.image_url && !value.file_id)
    throw invalidRequest(null, path, 'an image needs an image_url or a file_id');
};
const inputFile = fields({
  file_data: optional(matching(/^data:[\w.+-]+\/[\w.+-]+;base64,/, 'must be a base64-encoded data URL')),
  file_id: id,
  file_url: optional(anyString),
  filename: optional(anyString),
});

const inputContent = stringOr(
  arrayOf(taggedBy('type', { input_text: inputText, input_image: inputImage, input_file: inputFile })),
);

const outputContent = stringOr(
  arrayOf(
    taggedBy('type', { output_text: fields({ text: anyString }), refusal: fields({ refusal: anyString }) }),
  ),
);

const message = taggedBy('role', {
  user: fields({ content: inputContent, status }),
  system: fields({ content: inputContent, status }),
  developer: fields({ content: inputContent, status }),
  assistant: fields({ content: outputContent, id, status }),
});

const callId = matching(/^.{1,64}$/s, 'must have 1 to 64 characters');

const namespace = optional(nullable(anyString));
const effort = oneOf('none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max');

const typed = taggedBy('type', {
  message,
  function_call: fields({ call_id: callId, name: anyString, namespace, arguments: anyString, id, status }),
  function_call_output: fields({ call_id: callId, output: inputContent, id, status }),
  custom_tool_call: fields({ call_id: callId, name: anyString, namespace, input: anyString, id }),
  custom_tool_call_output: fields({ call_id: callId, output: inputContent, id }),
  reasoning: fields({
    id,
    summary: arrayOf(taggedBy('type', { summary_text: fields({ text: anyString }) })),
    content: optional(nullable(arrayOf(anyObject))),
    encrypted_content: optional(nullable(anyString)),
    status,
  }),
  item_reference: fields({ id: anyString }),
  additional_tools: fields({ role: oneOf('developer'), tools: arrayOf(tool) }),
  configuration_update: fields({
    reasoning: optional(fields({ effort: optional(nullable(effort)) })),
    text: optional(anyObject),
  }),
  ...itemsOfHostedTools(),
});

/** Input item. Messages may omit their type. */
const item: Check = (value, path) => {
  const isMessage = isObject(value) && value.type === undefined;
  (isMessage ? message : typed)(value, path);
};

/** Clients send back items of the provider's own tools unchanged. */
function itemsOfHostedTools(): Record<string, Check> {
  const names = [
    ...['web_search_call', 'file_search_call', 'computer_call', 'computer_call_output'],
    ...['image_generation_call', 'code_interpreter_call', 'local_shell_call', 'local_shell_call_output'],
    ...['shell_call', 'shell_call_output', 'apply_patch_call', 'apply_patch_call_output', 'compaction'],
    ...['mcp_list_tools', 'mcp_approval_request', 'mcp_approval_response', 'mcp_call'],
    ...['tool_search_call', 'tool_search_output', 'program', 'program_output', 'compaction_trigger'],
  ];
  return Object.fromEntries(names.map((name) => [name, anyObject]));
}

const summary = oneOf('auto', 'concise', 'detailed');

/** All documented parameters of a response. The sandbox rejects unknown parameters, as the API does. */
export const parameters: Record<string, Check> = {
  model: anyString,
  input: stringOr(arrayOf(item, 1)),
  access_programs: anyObject,
  background: nullable(anyBoolean),
  background_options: anyObject,
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
  service_tier: nullable(oneOf('auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast')),
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
