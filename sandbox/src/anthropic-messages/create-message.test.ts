import Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParamsNonStreaming, Tool } from '@anthropic-ai/sdk/resources/messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countTokens } from '../generation/prompt.ts';
import { type Sandbox, startSandbox } from '../start.ts';
import { postJson } from '../testing/raw-http.ts';

let sandbox: Sandbox;
let client: Anthropic;

beforeAll(async () => {
  sandbox = await startSandbox();
  client = new Anthropic({ baseURL: sandbox.origin, apiKey: 'sk-test', maxRetries: 0 });
});
afterAll(() => sandbox.close());

const weather: Tool = {
  name: 'weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const clock: Tool = { name: 'clock', input_schema: { type: 'object', properties: {} } };

const asked: MessageCreateParamsNonStreaming = {
  model: 'sandbox-normal',
  max_tokens: 5_000,
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'Tell me about rivers' }],
};
const thinking = { type: 'enabled', budget_tokens: 1_024 } as const;

/** Sends a request with and without streaming, and expects the same message. */
async function ask(changes: Partial<MessageCreateParamsNonStreaming> = {}) {
  const whole = await client.messages.create({ ...asked, ...changes });
  const streamed = await client.messages.stream({ ...asked, ...changes }).finalMessage();
  const idless = (content: unknown) => JSON.parse(JSON.stringify(content).replaceAll(/toolu_\d+/g, 'toolu'));
  expect(idless(streamed.content)).toEqual(idless(whole.content));
  expect(streamed).toMatchObject({ stop_reason: whole.stop_reason, stop_sequence: whole.stop_sequence });
  expect(streamed.usage.output_tokens).toBe(whole.usage.output_tokens);
  expect(streamed.usage.input_tokens).toBe(whole.usage.input_tokens);
  return whole;
}

test('createMessage returns a complete message with types and token counts, streamed or not', async () => {
  const message = await ask();
  expect(message).toMatchObject({
    type: 'message',
    role: 'assistant',
    model: 'sandbox-normal',
    content: [{ type: 'text' }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 7, output_tokens: 40, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
  });
  const [block] = message.content;
  expect(countTokens(block?.type === 'text' ? block.text : '')).toBe(40);
});

test('createMessage ends the text at a limit or stop sequence and returns the reason', async () => {
  expect(await ask({ max_tokens: 3 })).toMatchObject({
    stop_reason: 'max_tokens',
    usage: { output_tokens: 3 },
  });
  const echo = { model: 'sandbox-echo', messages: [{ role: 'user' as const, content: 'one two, three' }] };
  expect(await ask({ ...echo, stop_sequences: ['four', ', th'] })).toMatchObject({
    content: [{ text: 'one two' }],
    stop_reason: 'stop_sequence',
    stop_sequence: ', th',
  });
});

test('createMessage calls several tools in parallel, one without arguments', async () => {
  const message = await ask({ model: 'sandbox-tools', tools: [weather, clock] });
  expect(message.stop_reason).toBe('tool_use');
  expect(message.content).toMatchObject([
    { type: 'text' },
    { type: 'tool_use', name: 'weather', input: { city: 'text' } },
    { type: 'tool_use', name: 'clock', input: {} },
  ]);
  const ids = message.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
  expect(new Set(ids).size).toBe(2);
  const tool_choice = { type: 'auto', disable_parallel_tool_use: true } as const;
  expect((await ask({ model: 'sandbox-tools', tools: [weather, clock], tool_choice })).content).toHaveLength(
    2,
  );
});

test('createMessage calls a forced tool with sandbox-normal and returns text after a tool result', async () => {
  const forced = { tools: [clock, weather], tool_choice: { type: 'tool', name: 'weather' } } as const;
  const { content } = await ask({ ...forced, tools: [...forced.tools] });
  expect(content).toMatchObject([{ type: 'tool_use', name: 'weather' }]);
  const after = await ask({
    model: 'sandbox-tool',
    tools: [weather],
    messages: [
      ...asked.messages,
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Bern' } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Sunny' }] },
    ],
  });
  expect(after).toMatchObject({
    stop_reason: 'end_turn',
    content: [{ type: 'text' }],
    usage: { input_tokens: 8 },
  });
});

test('createMessage returns thinking first, bills it, and requires its unchanged signature in the next turn', async () => {
  const first = await ask({ model: 'sandbox-tool', tools: [weather], thinking });
  expect(first.usage).toMatchObject({ output_tokens_details: { thinking_tokens: 24 } });
  const [thought, call] = first.content;
  if (thought?.type !== 'thinking' || call?.type !== 'tool_use') throw new Error('no thought or no call');
  expect(countTokens(thought.thinking)).toBe(24);

  const next = (blocks: typeof first.content) =>
    client.messages.create({
      ...asked,
      tools: [weather],
      thinking,
      messages: [
        ...asked.messages,
        { role: 'assistant', content: blocks },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'Sunny' }] },
      ],
    });
  expect(await next(first.content)).toMatchObject({ stop_reason: 'end_turn' });
  const changes: [typeof first.content, string][] = [
    [
      [{ ...thought, signature: 'EqQB' }, call],
      'messages.1.content.0: Invalid `signature` in `thinking` block',
    ],
    [
      [{ ...thought, thinking: 'Else' }, call],
      'messages.1.content.0: Invalid `signature` in `thinking` block',
    ],
    [[call], 'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.'],
  ];
  for (const [blocks, message] of changes) {
    await expect(next(blocks)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message),
    });
  }
});

test('createMessage keeps the signature and the price of hidden thinking', async () => {
  const { content, usage } = await ask({ thinking: { type: 'adaptive', display: 'omitted' } });
  expect(content).toMatchObject([
    { type: 'thinking', thinking: '', signature: expect.any(String) },
    { type: 'text' },
  ]);
  expect(usage.output_tokens).toBe(64);
  expect((await ask({ model: 'sandbox-reasoning' })).usage.output_tokens).toBe(40);
});

test('createMessage returns JSON that matches the requested schema', async () => {
  const schema = {
    type: 'object',
    properties: { depth: { type: 'number', minimum: 2 } },
    required: ['depth'],
  };
  const { content } = await ask({ output_config: { format: { type: 'json_schema', schema } } });
  expect(content).toMatchObject([{ type: 'text', text: '{"depth":2}' }]);
});

test('createMessage detects images in user messages and tool results', async () => {
  const picture = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
  } as const;
  const { content } = await ask({
    messages: [{ role: 'user', content: [picture, { type: 'text', text: 'Look' }] }],
  });
  expect(content).toMatchObject([{ text: expect.stringMatching(/^I see image\/png of 8 bytes\.\n/) }]);
  const afterTool = await ask({
    tools: [clock],
    messages: [
      ...asked.messages,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'clock', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [picture] }] },
    ],
  });
  expect(afterTool.content).toMatchObject([
    { text: expect.stringMatching(/^I see image\/png of 8 bytes\.\n/) },
  ]);
});

test('createMessage counts cached tokens separately from the rest of the input', async () => {
  const model = 'sandbox-normal:cached_tokens=2,cache_write_tokens=3';
  expect((await ask({ model })).usage).toMatchObject({
    input_tokens: 2,
    cache_read_input_tokens: 2,
    cache_creation_input_tokens: 3,
    cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 0 },
  });
  const system = [
    {
      type: 'text' as const,
      text: 'Be brief.',
      cache_control: { type: 'ephemeral' as const, ttl: '1h' as const },
    },
  ];
  const { usage } = await client.messages.create({ ...asked, model, system });
  expect(usage.cache_creation).toEqual({ ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 3 });
});

test('createMessage reports refusals and blocks as stop reasons', async () => {
  expect(await ask({ model: 'sandbox-refusal' })).toMatchObject({
    stop_reason: 'refusal',
    content: [{ text: 'I cannot help with that.' }],
  });
  expect(await ask({ model: 'sandbox-blocked' })).toMatchObject({ stop_reason: 'refusal', content: [] });
});

test('countMessageTokens counts tokens without a response and free of charge', async () => {
  sandbox.journal.clear();
  const { model, system, messages } = asked;
  expect(await client.messages.countTokens({ model, system, messages })).toEqual({ input_tokens: 7 });
  expect(sandbox.journal.entries()).toMatchObject([
    { protocol: 'anthropic-messages', operation: 'count_tokens', promptTokens: 0, completionTokens: 0 },
  ]);
});

test('createMessage journals the tokens and the runs of events of a stream', async () => {
  sandbox.journal.clear();
  const model = 'sandbox-tools:cached_tokens=2,cache_write_tokens=1,preface_tokens=3';
  await client.messages.stream({ ...asked, model, tools: [clock], thinking }).finalMessage();
  expect(sandbox.journal.entries()).toMatchObject([
    {
      protocol: 'anthropic-messages',
      operation: 'generate',
      stream: true,
      promptTokens: 7,
      cachedTokens: 2,
      cacheWriteTokens: 1,
      reasoningTokens: 24,
      completionTokens: 24 + 3 + 2 + 2,
      // Runs: message_start, content_block_start and ping; thinking; signature, stop and start; text; stop and start;
      // arguments, and so on.
      frames: [3, 24, 3, 3, 2, 1, 2, 1, 3].map((count) => expect.objectContaining({ count })),
    },
  ]);
});

test.each([
  ['sandbox-refuse-key', Anthropic.AuthenticationError, { status: 401, type: 'authentication_error' }],
  ['sandbox-rate-limited', Anthropic.RateLimitError, { status: 429, type: 'rate_limit_error' }],
  ['sandbox-error-500', Anthropic.InternalServerError, { status: 500, type: 'api_error' }],
  ['sandbox-overloaded', Anthropic.InternalServerError, { status: 529, type: 'overloaded_error' }],
  ['sandbox-nothing', Anthropic.NotFoundError, { status: 404, type: 'not_found_error' }],
  ['sandbox-embedding', Anthropic.NotFoundError, { status: 404, type: 'not_found_error' }],
  ['sandbox-normal:tokens=x', Anthropic.BadRequestError, { status: 400, type: 'invalid_request_error' }],
])('createMessage rejects %s with an error that the client recognizes', async (model, kind, details) => {
  for (const stream of [false, true]) {
    const error = await client.messages.create({ ...asked, model, stream }).catch((reason) => reason);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({ ...details, requestID: expect.stringMatching(/^req_/) });
  }
});

test('createMessage sends an error inside a stream that the client recognizes', async () => {
  const stream = client.messages.stream({ ...asked, model: 'sandbox-stream-error' });
  await expect(stream.finalMessage()).rejects.toMatchObject({
    error: { error: { type: 'overloaded_error' } },
  });
});

test('createMessage accepts keys in either header and requires a version', async () => {
  const url = `${sandbox.origin}/v1/messages`;
  const send = (headers: Record<string, string>) =>
    fetch(url, { method: 'POST', body: JSON.stringify(asked), headers });
  const version = { 'anthropic-version': '2023-06-01' };
  expect((await send({ authorization: 'Bearer sk-test', ...version })).status).toBe(200);
  expect((await send({ ...version })).status).toBe(401);
  expect((await send({ 'x-api-key': 'sk-wrong', ...version })).status).toBe(401);
  const unversioned = await send({ 'x-api-key': 'sk-test' });
  expect(await unversioned.json()).toMatchObject({
    type: 'error',
    error: { type: 'invalid_request_error', message: 'anthropic-version: header is required' },
    request_id: unversioned.headers.get('request-id'),
  });
});

test('sandbox-inspect masks keys in either header', async () => {
  const headers = {
    'anthropic-version': '2023-06-01',
    'x-api-key': 'sk-secret-9876',
    authorization: 'Bearer sk-secret-5432',
  };
  const response = await postJson(
    `${sandbox.origin}/v1/messages`,
    { ...asked, model: 'sandbox-inspect' },
    headers,
  );
  const text = await response.text();
  expect(text).not.toContain('secret');
  expect(JSON.parse(JSON.parse(text).content[0].text)).toMatchObject({
    path: '/v1/messages',
    headers: { 'x-api-key': '****9876', authorization: '****5432' },
  });
});

test('listModels returns pages, and only to clients that send a version', async () => {
  const first = await client.models.list({ limit: 3 });
  expect(first.data).toMatchObject([{ type: 'model', id: 'sandbox-normal' }, {}, {}]);
  expect(first.has_more).toBe(true);
  const all = await Array.fromAsync(client.models.list({ limit: 3 }));
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(all.map(({ id }) => id)).toContain('sandbox-embedding');
  expect(await client.models.retrieve('sandbox-slow:tokens=5')).toMatchObject({
    id: 'sandbox-slow:tokens=5',
  });
  await expect(client.models.list({ limit: 0 })).rejects.toMatchObject({ status: 400 });
  const unversioned = await fetch(`${sandbox.origin}/v1/models`, {
    headers: { authorization: 'Bearer sk-test' },
  });
  expect(await unversioned.json()).not.toHaveProperty('has_more');
  await expect(client.models.retrieve('gpt-4o')).rejects.toMatchObject({ status: 404 });
});
