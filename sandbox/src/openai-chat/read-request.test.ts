import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions';
import { expect, test } from 'vitest';
import { RequestRefused } from '../request/problem.ts';
import { readRequest } from './complete-chat.ts';

const minimal = { model: 'sandbox-normal', messages: [{ role: 'user', content: 'Hello' }] };

const functionTool = { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } };

const asked = { role: 'user', content: 'Hello' };
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'Sunny' });
const twoCalls = ['call_1', 'call_2'].map((id) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: '{}' },
}));

// The type requires each parameter that the installed client documents, so that no parameter is missing here.
const everyParameter: Record<keyof ChatCompletionCreateParamsNonStreaming, unknown> = {
  model: 'sandbox-normal',
  messages: minimal.messages,
  audio: { format: 'wav', voice: 'alloy' },
  frequency_penalty: 0.5,
  function_call: { name: 'weather' },
  functions: [{ name: 'weather' }],
  logit_bias: { '50256': -100 },
  logprobs: true,
  max_completion_tokens: 10,
  max_tokens: null,
  metadata: { purpose: 'test' },
  modalities: ['text'],
  moderation: { model: 'omni-moderation-latest', policy: { input: { mode: 'score' } } },
  n: 2,
  parallel_tool_calls: false,
  prediction: { type: 'content', content: 'Hello' },
  presence_penalty: -0.5,
  prompt_cache_key: 'key',
  prompt_cache_options: { mode: 'implicit', ttl: '30m' },
  prompt_cache_retention: '24h',
  reasoning_effort: 'low',
  response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } },
  safety_identifier: 'user-1',
  seed: -7,
  service_tier: 'auto',
  stop: ['\n'],
  store: false,
  stream: true,
  stream_options: { include_usage: true, include_obfuscation: false },
  temperature: 1,
  tool_choice: { type: 'function', function: { name: 'weather' } },
  tools: [functionTool, { type: 'custom', custom: { name: 'code' } }],
  top_logprobs: 2,
  top_p: 0.9,
  user: 'user-1',
  verbosity: 'low',
  web_search_options: { search_context_size: 'low' },
};

const everyMessage = [
  { role: 'developer', content: 'Be brief.' },
  { role: 'system', content: [{ type: 'text', text: 'Be kind.' }] },
  {
    role: 'user',
    name: 'ada',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
      { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
      { type: 'file', file: { file_id: 'file-1' } },
    ],
  },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{}' } },
      { id: 'call_2', type: 'custom', custom: { name: 'code', input: 'x' } },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'Sunny' },
  { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'x' }] },
  { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
  { role: 'function', name: 'weather', content: null },
];

function problemOf(body: Record<string, unknown>) {
  try {
    // Removes undefined fields, which JSON cannot represent.
    readRequest(JSON.parse(JSON.stringify(body)));
  } catch (error) {
    if (error instanceof RequestRefused) return error.problem;
    throw error;
  }
  return null;
}

test('readRequest accepts every documented parameter and every kind of message', () => {
  expect(problemOf(everyParameter)).toBeNull();
  expect(problemOf({ ...minimal, messages: everyMessage })).toBeNull();
});

test.each([
  ['missing_required_parameter', 'model', { model: undefined }],
  ['missing_required_parameter', 'messages', { messages: undefined }],
  ['unknown_parameter', 'task_id', { task_id: 12 }],
  ['unknown_parameter', 'format', { format: 'minimal' }],
  ['unknown_parameter', 'constructor', { constructor: 1 }],
  ['invalid_type', 'model', { model: 7 }],
  ['invalid_type', 'messages', { messages: 'Hello' }],
  ['array_below_min_length', 'messages', { messages: [] }],
  ['invalid_type', 'messages[0]', { messages: ['Hello'] }],
  ['missing_required_parameter', 'messages[0].role', { messages: [{ content: 'Hello' }] }],
  ['invalid_value', 'messages[0].role', { messages: [{ role: 'robot', content: 'Hello' }] }],
  ['missing_required_parameter', 'messages[0].content', { messages: [{ role: 'user' }] }],
  ['invalid_type', 'messages[0].content', { messages: [{ role: 'user', content: 5 }] }],
  [
    'missing_required_parameter',
    'messages[0].content[0].text',
    { messages: [{ role: 'user', content: [{ type: 'text' }] }] },
  ],
  ['missing_required_parameter', 'messages[0].tool_call_id', { messages: [{ role: 'tool', content: 'x' }] }],
  ['invalid_type', 'max_tokens', { max_tokens: '5' }],
  ['invalid_type', 'max_tokens', { max_tokens: 1.5 }],
  ['integer_below_min_value', 'max_tokens', { max_tokens: 0 }],
  ['integer_above_max_value', 'n', { n: 129 }],
  ['decimal_above_max_value', 'temperature', { temperature: 2.1 }],
  ['invalid_type', 'stream', { stream: 'true' }],
  ['array_above_max_length', 'stop', { stop: ['a', 'b', 'c', 'd', 'e'] }],
  ['invalid_type', 'metadata.task', { metadata: { task: 1 } }],
  ['invalid_value', 'reasoning_effort', { reasoning_effort: 'extreme' }],
  ['invalid_value', 'response_format.type', { response_format: { type: 'xml' } }],
  [
    'missing_required_parameter',
    'response_format.json_schema.name',
    { response_format: { type: 'json_schema', json_schema: {} } },
  ],
  ['missing_required_parameter', 'tools[0].function.name', { tools: [{ type: 'function', function: {} }] }],
  ['invalid_value', 'tool_choice', { tools: [functionTool], tool_choice: 'always' }],
  [null, 'tool_choice', { tool_choice: 'auto' }],
  [null, 'stream_options', { stream_options: { include_usage: true } }],
  [null, 'top_logprobs', { top_logprobs: 2 }],
  ['invalid_parameter_combination', 'max_tokens', { max_tokens: 5, max_completion_tokens: 5 }],
  ['unsupported_parameter', 'max_tokens', { model: 'sandbox-reasoning', max_tokens: 5 }],
  ['unsupported_value', 'temperature', { model: 'sandbox-reasoning', temperature: 0.5 }],
  ['invalid_type', 'messages[1].content', { messages: [asked, { role: 'assistant', content: null }] }],
  [
    'invalid_value',
    'messages[0].content[0].image_url.url',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'AAAA' } }] }] },
  ],
  ['invalid_value', 'messages[1].tool_call_id', { messages: [asked, result('x'.repeat(41))] }],
  [null, 'messages', { messages: [asked, { role: 'assistant', tool_calls: twoCalls }, result('call_1')] }],
  [null, 'messages', { messages: [asked, { role: 'assistant', tool_calls: twoCalls }, asked] }],
  [null, 'messages[1].role', { messages: [asked, result('call_1')] }],
  ['invalid_value', 'model', { model: 'sandbox-normal:tokens=x' }],
  ['invalid_value', 'n', { model: 'sandbox-huge', n: 11 }],
])('readRequest rejects with code %s and parameter %s: %j', (code, param, change) => {
  expect(problemOf({ ...minimal, ...change })).toMatchObject({ kind: 'invalid', code, param });
});

test.each(['gpt-4o', 'sandbox-embedding'])(
  'readRequest rejects a model without chat completions as unknown: %s',
  (model) => {
    expect(problemOf({ ...minimal, model })).toMatchObject({ kind: 'unknown_model' });
  },
);

test('readRequest rejects a parameter that exists only on the prototype of the table', () => {
  const body = '{"model":"sandbox-normal","messages":[{"role":"user","content":""}],"__proto__":1}';
  expect(problemOf(JSON.parse(body))).toMatchObject({ code: 'unknown_parameter', param: '__proto__' });
});
