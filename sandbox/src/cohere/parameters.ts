import {
  anyBoolean,
  anyObject,
  anyString,
  arrayOf,
  type Check,
  fields,
  integerWithin,
  matching,
  nullable,
  numberWithin,
  oneOf,
  optional,
  stringOr,
  taggedBy,
} from '../request/checks.ts';
import { pictureAddress } from '../request/media.ts';

const text = fields({ text: anyString });
const spoken = matching(/\S/, 'must be at least 1 token long');
const textContent = stringOr(arrayOf(taggedBy('type', { text })));

const picture = fields({
  image_url: fields({ url: pictureAddress, detail: optional(oneOf('auto', 'low', 'high')) }),
});

const toolCall = fields({
  id: anyString,
  type: oneOf('function'),
  function: fields({ name: anyString, arguments: anyString }),
});

const message = taggedBy('role', {
  system: fields({ content: textContent }),
  user: fields({
    content: stringOr(arrayOf(taggedBy('type', { text, image_url: picture }), 1), spoken),
  }),
  assistant: fields({
    content: optional(
      nullable(stringOr(arrayOf(taggedBy('type', { text, thinking: fields({ thinking: anyString }) })))),
    ),
    tool_plan: optional(nullable(anyString)),
    tool_calls: optional(nullable(arrayOf(toolCall))),
    citations: optional(nullable(arrayOf(anyObject))),
  }),
  tool: fields({
    tool_call_id: anyString,
    content: stringOr(arrayOf(taggedBy('type', { text, document: fields({ document: anyObject }) }))),
  }),
});

const tool = fields({
  type: oneOf('function'),
  function: fields({
    name: matching(/^[a-zA-Z0-9_-]{1,64}$/, 'must consist of 1 to 64 letters, digits, _ and -'),
    description: optional(nullable(anyString)),
    parameters: optional(nullable(anyObject)),
  }),
});

/** All documented parameters of a chat. The sandbox rejects unknown parameters, as Cohere does. */
export const chatParameters: Record<string, Check> = {
  model: anyString,
  messages: arrayOf(message, 1),
  citation_options: nullable(anyObject),
  documents: nullable(arrayOf(stringOr(anyObject))),
  frequency_penalty: nullable(numberWithin(0, 1)),
  k: nullable(integerWithin(0, 500)),
  logprobs: nullable(anyBoolean),
  max_tokens: nullable(integerWithin(1)),
  p: nullable(numberWithin(0.01, 0.99)),
  presence_penalty: nullable(numberWithin(0, 1)),
  priority: nullable(integerWithin(0, 999)),
  raw_prompting: nullable(anyBoolean),
  response_format: nullable(
    taggedBy('type', {
      text: anyObject,
      json_object: fields({ json_schema: optional(nullable(anyObject)) }),
    }),
  ),
  safety_mode: nullable(oneOf('CONTEXTUAL', 'STRICT', 'OFF')),
  seed: nullable(integerWithin(0)),
  stop_sequences: nullable(arrayOf(anyString, 0, 5)),
  stream: nullable(anyBoolean),
  strict_tools: nullable(anyBoolean),
  temperature: nullable(numberWithin(0, 1)),
  thinking: nullable(
    fields({ type: oneOf('enabled', 'disabled'), token_budget: optional(nullable(integerWithin(1))) }),
  ),
  tool_choice: nullable(oneOf('REQUIRED', 'NONE')),
  tools: nullable(arrayOf(tool)),
};

export const embedParameters: Record<string, Check> = {
  model: anyString,
  input_type: oneOf('search_document', 'search_query', 'classification', 'clustering', 'image'),
  texts: arrayOf(anyString, 1, 96),
  images: arrayOf(pictureAddress, 1, 1),
  inputs: arrayOf(fields({ content: arrayOf(taggedBy('type', { text, image_url: picture }), 1) }), 1, 96),
  embedding_types: arrayOf(oneOf('float', 'int8', 'uint8', 'binary', 'ubinary', 'base64'), 1),
  max_tokens: nullable(integerWithin(1)),
  output_dimension: nullable(integerWithin(256, 1536)),
  priority: nullable(integerWithin(0, 999)),
  truncate: nullable(oneOf('NONE', 'START', 'END')),
};
