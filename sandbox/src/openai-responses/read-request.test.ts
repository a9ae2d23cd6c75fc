import type { ResponseCreateParamsNonStreaming } from 'openai/resources/responses/responses';
import { expect, test } from 'vitest';
import { seal } from '../generation/signature.ts';
import { encodeError } from '../openai/errors.ts';
import { RequestRefused } from '../request/problem.ts';
import { readRequest } from './create-response.ts';

const minimal = { model: 'sandbox-normal', input: 'Hello' };
const closed = { type: 'object', properties: {}, additionalProperties: false };
const tool = { type: 'function', name: 'weather', parameters: closed, strict: true };
const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'weather', arguments: '{}' });
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'Sunny' });
const user = (content: unknown) => ({ role: 'user', content });
const picture = (image_url: string) => user([{ type: 'input_image', image_url }]);

type Stateful = 'background' | 'conversation' | 'previous_response_id' | 'prompt';

// The type requires each parameter that the installed client documents, so that no parameter is missing here.
const everyParameter: Record<Exclude<keyof ResponseCreateParamsNonStreaming, Stateful>, unknown> = {
  ...minimal,
  access_programs: {},
  context_management: null,
  image: {},
  include: ['reasoning.encrypted_content'],
  instructions: 'Be brief.',
  max_output_tokens: 16,
  max_tool_calls: 3,
  metadata: { purpose: 'test' },
  moderation: null,
  parallel_tool_calls: true,
  prompt_cache_key: 'key',
  prompt_cache_options: {},
  prompt_cache_retention: '24h',
  reasoning: { effort: 'low', summary: 'auto' },
  safety_identifier: 'user-1',
  service_tier: 'auto',
  store: false,
  stream: true,
  stream_options: { include_obfuscation: false },
  temperature: 1,
  text: { format: { type: 'json_schema', name: 'answer', schema: closed, strict: true }, verbosity: 'low' },
  tool_choice: { type: 'function', name: 'weather' },
  tools: [
    tool,
    { type: 'web_search' },
    { type: 'custom', name: 'code' },
    { type: 'namespace', name: 'sky', description: 'Skies.', tools: [tool] },
  ],
  top_logprobs: 2,
  top_p: 0.5,
  truncation: 'auto',
  user: 'user-1',
};

const everyItem = [
  { role: 'developer', content: 'Be brief.' },
  user([
    { type: 'input_text', text: 'Look' },
    { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'low' },
    { type: 'input_image', file_id: 'file-1' },
    { type: 'input_file', file_data: 'data:application/pdf;base64,AA==' },
  ]),
  { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: seal('Hm') },
  { type: 'message', role: 'assistant', id: 'msg_1', content: [{ type: 'output_text', text: 'Well' }] },
  call('a'),
  call('b'),
  { type: 'web_search_call', id: 'ws_1', status: 'completed' },
  { ...output('a'), output: [{ type: 'input_text', text: 'Sunny' }] },
  output('b'),
];

function problemOf(body: Record<string, unknown>) {
  try {
    readRequest(JSON.parse(JSON.stringify(body)));
  } catch (error) {
    if (error instanceof RequestRefused) return encodeError(error.problem);
    throw error;
  }
  return null;
}

test('readRequest accepts every documented parameter and every kind of item', () => {
  expect(problemOf(everyParameter)).toBeNull();
  expect(problemOf({ ...minimal, input: everyItem })).toBeNull();
});

test.each<[string, Record<string, unknown>]>([
  ["'input': this field is required", { input: undefined }],
  ["'model': this field is required", { model: undefined }],
  ["'messages': unknown parameter", { messages: [] }],
  ["'max_tokens': unknown parameter", { max_tokens: 5 }],
  ["'response_format': unknown parameter", { response_format: { type: 'text' } }],
  ["'stop': unknown parameter", { stop: 'END' }],
  ["'max_output_tokens': at least 16", { max_output_tokens: 15 }],
  ["'temperature': at most 2", { temperature: 3 }],
  ["'temperature': not supported", { model: 'sandbox-reasoning', temperature: 1 }],
  [
    "'tools[0].name': this field is required",
    { tools: [{ type: 'function', function: { name: 'weather' } }] },
  ],
  ["'tools[0].name': must consist of", { tools: [{ ...tool, name: 'the weather' }] }],
  [
    "'tools[0].description': this field is required",
    { tools: [{ type: 'namespace', name: 'sky', tools: [tool] }] },
  ],
  [
    "'tools[0].parameters': 'additionalProperties'",
    { tools: [{ ...tool, parameters: { type: 'object', properties: {} } }] },
  ],
  [
    "'tools[0].parameters': 'required' must include city",
    { tools: [{ ...tool, parameters: { ...closed, properties: { city: { type: 'string' } } } }] },
  ],
  [
    "'tool_choice': there is no function 'clock'",
    { tools: [tool], tool_choice: { type: 'function', name: 'clock' } },
  ],
  [
    "'text.format.name': this field is required",
    { text: { format: { type: 'json_schema', schema: closed } } },
  ],
  [
    "'text.format.schema': 'additionalProperties'",
    { text: { format: { type: 'json_schema', name: 'a', strict: true, schema: { properties: {} } } } },
  ],
  ["'input[0].content[0].type': expected one of", { input: [user([{ type: 'text', text: 'Hello' }])] }],
  [
    "'input[0].content[0].type': expected one of",
    { input: [{ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }] },
  ],
  ["'input[0].role': expected one of", { input: [{ role: 'tool', content: 'x' }] }],
  ["'input[0].content[0].image_url': must be a URL", { input: [picture('iVBORw0KGgo=')] }],
  [
    "'input[0].content[0].image_url': expected a string",
    { input: [user([{ type: 'input_image', image_url: { url: 'https://x' } }])] },
  ],
  ["'input[0].content[0]': an image needs", { input: [user([{ type: 'input_image' }])] }],
  [
    "'input[1].arguments': expected a string",
    { input: [user('Hi'), { ...call('a'), arguments: {} }, output('a')] },
  ],
  [
    'No tool call found for function call output with call_id b',
    { input: [user('Hi'), call('a'), output('b')] },
  ],
  ['No tool call found for function call output with call_id a', { input: [output('a'), call('a')] }],
  ['No tool output found for function call b', { input: [user('Hi'), call('a'), call('b'), output('a')] }],
  ['not found', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
  ["Previous response with id 'resp_1' not found", { previous_response_id: 'resp_1' }],
  ["'conversation': unknown conversation", { conversation: 'conv_1' }],
  ["'background': not supported", { background: true }],
])('readRequest rejects with "%s": %j', (message, change) => {
  const { status, body } = problemOf({ ...minimal, ...change }) ?? {};
  expect(status).toBe(400);
  expect(body).toMatchObject({
    error: { type: 'invalid_request_error', message: expect.stringContaining(message) },
  });
});
