import {
  anyObject,
  anyString,
  arrayOf,
  type Check,
  fields,
  isObject,
  matching,
  nullable,
  oneOf,
  optional,
  stringOr,
  taggedBy,
} from '../request/checks.ts';
import { pictureAddress } from '../request/picture-address.ts';
import { invalidRequest } from '../request/problem.ts';
import { tool } from './tools.ts';

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
    throw invalidRequest(null, path, 'an image has an image_url or a file_id');
};
const inputFile = fields({
  file_data: optional(matching(/^data:[\w.+-]+\/[\w.+-]+;base64,/, 'it is no base64-encoded data URL')),
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

const callId = matching(/^.{1,64}$/s, 'it has 1 to 64 characters');

const namespace = optional(nullable(anyString));

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
  ...ofHostedTools(),
});

/** Input item; a message may omit its type. */
export const item: Check = (value, path) => {
  const isMessage = isObject(value) && value.type === undefined;
  (isMessage ? message : typed)(value, path);
};

/** Items of the provider's own tools, which clients send back unchanged. */
function ofHostedTools(): Record<string, Check> {
  const names = [
    ...['web_search_call', 'file_search_call', 'computer_call', 'computer_call_output'],
    ...['image_generation_call', 'code_interpreter_call', 'local_shell_call', 'local_shell_call_output'],
    ...['shell_call', 'shell_call_output', 'apply_patch_call', 'apply_patch_call_output', 'compaction'],
    ...['mcp_list_tools', 'mcp_approval_request', 'mcp_approval_response', 'mcp_call'],
    ...['tool_search_call', 'tool_search_output'],
  ];
  return Object.fromEntries(names.map((name) => [name, anyObject]));
}
