import {
  anyBoolean,
  anyObject,
  anyString,
  arrayOf,
  type Check,
  exactly,
  fields,
  integerWithin,
  isObject,
  matching,
  nullable,
  numberWithin,
  oneOf,
  optional,
  stringOr,
  taggedBy,
} from '../request/checks.ts';
import { cacheControl, message, textContent } from './content-blocks.ts';

const type = anyString;
const oneCallAtATime = optional(anyBoolean);

const ownTool = exactly({
  type: optional(nullable(oneOf('custom'))),
  name: matching(/^[a-zA-Z0-9_-]{1,128}$/, 'must consist of 1 to 128 letters, digits, _ and -'),
  description: optional(anyString),
  input_schema: fields({ type: oneOf('object') }),
  cache_control: cacheControl,
  strict: optional(anyBoolean),
  defer_loading: optional(anyBoolean),
  allowed_callers: optional(arrayOf(anyString)),
  eager_input_streaming: optional(nullable(anyBoolean)),
  input_examples: optional(arrayOf(anyObject)),
});

/** The names of the provider's own tools end with their version date. */
const serverTool = fields({ type: matching(/_\d{8}$/, 'unknown tool'), name: anyString });

const tool: Check = (value, path) => {
  const kind = isObject(value) ? (value.type ?? 'custom') : 'custom';
  (kind === 'custom' ? ownTool : serverTool)(value, path);
};

const counted: Record<string, Check> = {
  model: anyString,
  messages: arrayOf(message, 1),
  cache_control: cacheControl,
  output_config: exactly({
    effort: optional(nullable(oneOf('low', 'medium', 'high', 'xhigh', 'max'))),
    format: optional(nullable(taggedBy('type', { json_schema: exactly({ type, schema: anyObject }) }))),
  }),
  speed: nullable(oneOf('standard', 'fast')),
  system: textContent,
  thinking: taggedBy('type', {
    enabled: exactly({
      type,
      budget_tokens: integerWithin(1024),
      display: optional(nullable(oneOf('summarized', 'omitted'))),
    }),
    adaptive: exactly({ type, display: optional(nullable(oneOf('summarized', 'omitted'))) }),
    between_tools: exactly({ type }),
    disabled: exactly({ type }),
  }),
  tool_choice: taggedBy('type', {
    auto: exactly({ type, disable_parallel_tool_use: oneCallAtATime }),
    any: exactly({ type, disable_parallel_tool_use: oneCallAtATime }),
    tool: exactly({ type, name: anyString, disable_parallel_tool_use: oneCallAtATime }),
    none: exactly({ type }),
  }),
  tools: arrayOf(tool),
  user_profile_id: anyString,
  workspace_id: anyString,
};

/** All documented parameters of a message. The sandbox rejects unknown parameters, as the API does. */
export const messageParameters: Record<string, Check> = {
  ...counted,
  max_tokens: integerWithin(1),
  container: nullable(stringOr(anyObject)),
  context_management: nullable(anyObject),
  diagnostics: nullable(anyObject),
  inference_geo: nullable(anyString),
  metadata: exactly({ user_id: optional(nullable(anyString)) }),
  service_tier: oneOf('auto', 'standard_only'),
  stop_sequences: arrayOf(matching(/\S/, 'each stop sequence must contain non-whitespace')),
  stream: anyBoolean,
  temperature: numberWithin(0, 1),
  top_k: integerWithin(0),
  top_p: numberWithin(0, 1),
};

export const countParameters = counted;
