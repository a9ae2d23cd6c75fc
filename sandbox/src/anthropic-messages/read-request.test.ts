import type { MessageCountTokensParams, MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';
import { expect, test } from 'vitest';
import { sign } from '../generation/signature.ts';
import { type Check, isObject } from '../request/checks.ts';
import { RequestRefused } from '../request/problem.ts';
import { readRequest } from './create-message.ts';
import { describeError } from './errors.ts';
import { countParameters, messageParameters } from './parameters.ts';

const user = (content: unknown) => ({ role: 'user', content });
const assistant = (content: unknown) => ({ role: 'assistant', content });
const text = (words: string) => ({ type: 'text', text: words });
const use = (id: string) => ({ type: 'tool_use', id, name: 'weather', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: 'Sunny' });
const cached = { ...text('Cached'), cache_control: { type: 'ephemeral' } };
const tool = { name: 'weather', input_schema: { type: 'object' } };
const picture = (media_type: string, data: string) => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
});
const png = 'iVBORw0KGgo=';
const thinking = { type: 'enabled', budget_tokens: 1_024 };

const minimal = { model: 'sandbox-normal', max_tokens: 2_000, messages: [user('Hello')] };

// The type requires each parameter that the installed client documents, so that no parameter is missing here.
const countedParameters: Record<keyof MessageCountTokensParams, unknown> = {
  model: 'sandbox-normal',
  messages: minimal.messages,
  cache_control: { type: 'ephemeral', ttl: '1h' },
  output_config: { effort: 'low', format: { type: 'json_schema', schema: { type: 'object' } } },
  speed: 'standard',
  system: [cached],
  thinking: { type: 'adaptive', display: 'omitted' },
  tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  tools: [
    { ...tool, description: 'Weather', strict: true },
    { type: 'web_search_20250305', name: 'web_search' },
  ],
  user_profile_id: 'profile',
  workspace_id: 'workspace',
};
const everyParameter: Record<keyof MessageCreateParams, unknown> = {
  ...countedParameters,
  max_tokens: 100,
  container: null,
  diagnostics: null,
  inference_geo: 'us',
  metadata: { user_id: 'user-1' },
  service_tier: 'auto',
  stop_sequences: ['END'],
  stream: true,
};

const everyBlock = [
  user([
    text('Look'),
    picture('image/png', png),
    { type: 'image', source: { type: 'url', url: 'https://example.com/a' } },
  ]),
  assistant([
    { type: 'thinking', thinking: 'Hm', signature: sign('Hm') },
    text('Let me see'),
    use('toolu_1'),
    use('toolu_2'),
  ]),
  user([
    { ...result('toolu_1'), is_error: true },
    { type: 'tool_result', tool_use_id: 'toolu_2', content: [text('Rain'), picture('image/png', png)] },
    text('And now?'),
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Notes' }, title: 'Notes' },
  ]),
  { role: 'system', content: 'Hurry.' },
  assistant('Well'),
];

function problemOf(body: Record<string, unknown>, parameters: Record<string, Check> = messageParameters) {
  try {
    readRequest(JSON.parse(JSON.stringify(body)), parameters);
  } catch (error) {
    if (error instanceof RequestRefused) return describeError(error.problem);
    throw error;
  }
  return null;
}

test('readRequest accepts every documented parameter and every kind of block', () => {
  expect(problemOf(everyParameter)).toBeNull();
  expect(problemOf({ ...minimal, temperature: 1, top_p: 1, top_k: 5 })).toBeNull();
  expect(problemOf({ ...minimal, tools: [tool], messages: everyBlock })).toBeNull();
  expect(problemOf(countedParameters, countParameters)).toBeNull();
});

test('readRequest rejects an output limit in a token count request', () => {
  expect(problemOf({ ...minimal }, countParameters)?.message).toMatch(/^max_tokens: /);
});

test.each<[string, Record<string, unknown>]>([
  ['model: this field is required', { model: undefined }],
  ['max_tokens: this field is required', { max_tokens: undefined }],
  ['messages: this field is required', { messages: undefined }],
  ['task_id: unknown parameter', { task_id: 12 }],
  ['metadata.task_id: unknown parameter', { metadata: { task_id: '12' } }],
  ['messages.0.name: unknown parameter', { messages: [{ ...user('Hello'), name: 'Ada' }] }],
  ['messages.0.role: expected one of', { messages: [{ role: 'tool', content: 'x' }] }],
  ['messages: at least 1', { messages: [] }],
  ['first message must use the "user" role', { messages: [assistant('Hello')] }],
  ['first message must use the "user" role', { messages: [{ role: 'system', content: 'x' }, user('Hello')] }],
  ['messages.0: all messages must have non-empty content', { messages: [user('')] }],
  ['messages.0: all messages must have non-empty content', { messages: [user([])] }],
  ['text content blocks must contain non-whitespace text', { messages: [user([text(' ')])] }],
  ['text content blocks must contain non-whitespace text', { system: [text('')] }],
  ['cannot end with trailing whitespace', { messages: [user('Hello'), assistant('Well ')] }],
  ['cannot end with trailing whitespace', { messages: [user('Hello'), assistant([text('Well\n')])] }],
  ['temperature: at most 1', { temperature: 1.1 }],
  ['max_tokens: at least 1', { max_tokens: 0 }],
  ['stop_sequences.0: each stop sequence must contain non-whitespace', { stop_sequences: ['\n'] }],
  ['tools.0.input_schema: this field is required', { tools: [{ name: 'weather' }] }],
  ['tools.0.input_schema.type: this field is required', { tools: [{ name: 'weather', input_schema: {} }] }],
  ['tools.0.name', { tools: [{ ...tool, name: 'the weather' }] }],
  ['Tool names must be unique', { tools: [tool, tool] }],
  ['tools.0.function: unknown parameter', { tools: [{ ...tool, function: {} }] }],
  ['tool_choice: may only', { tool_choice: { type: 'auto' } }],
  ["Tool 'clock' not found", { tools: [tool], tool_choice: { type: 'tool', name: 'clock' } }],
  ['tool_choice: expected an object', { tools: [tool], tool_choice: 'auto' }],
  ['found without `tool_result`', { messages: [user('Hi'), assistant([use('a')])] }],
  [
    'found without `tool_result`',
    { messages: [user('Hi'), assistant([use('a'), use('b')]), user([result('a')])] },
  ],
  [
    'found without `tool_result`',
    { messages: [user('Hi'), assistant([use('a')]), user([text('So'), result('a')])] },
  ],
  [
    'found without `tool_result`',
    { messages: [user('Hi'), assistant([use('a'), use('b')]), user([result('a')]), user([result('b')])] },
  ],
  ['unexpected `tool_use_id`', { messages: [user([result('a')])] }],
  [
    'unexpected `tool_use_id`',
    { messages: [user('Hi'), assistant([use('a')]), user([result('a'), result('b')])] },
  ],
  ['a single result', { messages: [user('Hi'), assistant([use('a')]), user([result('a'), result('a')])] }],
  ['ids must be unique', { messages: [user('Hi'), assistant([use('a'), use('a')]), user([result('a')])] }],
  ['messages.1.content.0.id', { messages: [user('Hi'), assistant([use('a.b')]), user([result('a.b')])] }],
  [
    'messages.1.content.0.input: expected an object',
    { messages: [user('Hi'), assistant([{ ...use('a'), input: '{}' }])] },
  ],
  ['appears to be image/png', { messages: [user([picture('image/jpeg', png)])] }],
  ['Could not process image', { messages: [user([picture('image/png', 'AAAA')])] }],
  ['media_type: expected one of', { messages: [user([picture('image/jpg', png)])] }],
  ['missing or not base64', { messages: [user([picture('image/png', `data:image/png;base64,${png}`)])] }],
  [
    'Only HTTPS URLs',
    { messages: [user([{ type: 'image', source: { type: 'url', url: 'http://x/a.png' } }])] },
  ],
  ['expected one of text', { messages: [user([{ type: 'image_url', image_url: { url: 'x' } }])] }],
  ['Found 5', { system: [cached, cached, cached], messages: [user([cached, cached])] }],
  ['thinking.budget_tokens: at least 1024', { thinking: { ...thinking, budget_tokens: 100 } }],
  ['must be greater than `thinking.budget_tokens`', { max_tokens: 1_024, thinking }],
  ['may only be set to 1 when thinking', { thinking, temperature: 0.5 }],
  ['`top_k` must be unset', { thinking, top_k: 5 }],
  ['`top_p` must be', { thinking, top_p: 0.5 }],
  ['may not be enabled when tool_choice forces', { thinking, tools: [tool], tool_choice: { type: 'any' } }],
  [
    'Invalid `signature`',
    { messages: [user('Hi'), assistant([{ type: 'thinking', thinking: 'Hm', signature: 'x' }])] },
  ],
  ['Invalid `signature`', { messages: [user('Hi'), assistant([{ type: 'redacted_thinking', data: 'x' }])] }],
])('readRequest rejects with "%s": %j', (message, change) => {
  const problem = problemOf({ ...minimal, ...change });
  expect(problem).toMatchObject({ type: 'invalid_request_error', message: expect.stringContaining(message) });
});

test('readRequest accepts null only for parameters that document it', () => {
  expect(problemOf({ ...minimal, inference_geo: null })).toBeNull();
  expect(problemOf({ ...minimal, temperature: null })).toMatchObject({
    message: expect.stringMatching(/null/),
  });
  expect(isObject(problemOf({ ...minimal, stream: null }))).toBe(true);
});
