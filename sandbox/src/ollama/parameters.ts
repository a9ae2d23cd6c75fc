import {
  anyBoolean,
  anyNumber,
  anyObject,
  anyString,
  arrayOf,
  type Check,
  fields,
  integerWithin,
  isObject,
  matching,
  nullable,
  oneOf,
  optional,
  stringOr,
} from '../request/checks.ts';

const base64 = matching(
  /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
  'illegal base64 data',
);

const toolCall = fields({
  function: fields({ name: anyString, arguments: anyObject }),
});

const message = fields({
  role: oneOf('system', 'user', 'assistant', 'tool'),
  content: optional(anyString),
  thinking: optional(anyString),
  images: optional(nullable(arrayOf(base64))),
  tool_calls: optional(nullable(arrayOf(toolCall))),
  tool_name: optional(anyString),
  tool_call_id: optional(anyString),
});

const tool = fields({
  type: optional(anyString),
  function: fields({
    name: anyString,
    description: optional(anyString),
    parameters: optional(nullable(anyObject)),
  }),
});

const options = fields({
  num_predict: optional(integerWithin(-2)),
  num_ctx: optional(integerWithin(1)),
  seed: optional(integerWithin(Number.MIN_SAFE_INTEGER)),
  top_k: optional(integerWithin(0)),
  top_p: optional(anyNumber),
  min_p: optional(anyNumber),
  temperature: optional(anyNumber),
  stop: optional(arrayOf(anyString)),
});

const think: Check = (value, path) => {
  if (typeof value !== 'boolean') oneOf('low', 'medium', 'high', 'max')(value, path);
};

const format: Check = (value, path) => {
  if (!isObject(value)) oneOf('', 'json')(value, path);
};

const keepAlive: Check = (value, path) => {
  if (typeof value !== 'number') anyString(value, path);
};

/** Ollama ignores unknown fields but checks the types of known fields. */
export const chat = fields({
  model: anyString,
  messages: optional(nullable(arrayOf(message))),
  stream: optional(nullable(anyBoolean)),
  format: optional(nullable(format)),
  keep_alive: optional(nullable(keepAlive)),
  tools: optional(nullable(arrayOf(tool))),
  options: optional(nullable(options)),
  think: optional(nullable(think)),
});

export const embedding = fields({
  model: anyString,
  input: stringOr(arrayOf(anyString)),
  truncate: optional(nullable(anyBoolean)),
  dimensions: optional(integerWithin(0)),
  options: optional(nullable(options)),
  keep_alive: optional(nullable(keepAlive)),
});
