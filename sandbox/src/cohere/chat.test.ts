import { afterAll, beforeAll, expect, test } from 'vitest';
import { countTokens } from '../generation/prompt.ts';
import { type Sandbox, startSandbox } from '../start.ts';
import { postJson, readEvents } from '../testing/raw-http.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const headers = { authorization: 'Bearer sk-test' };
const asked = {
  model: 'sandbox-normal',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Tell me about rivers' },
  ],
};
const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const weather = { type: 'function', function: { name: 'weather', parameters: city } };
const clock = { type: 'function', function: { name: 'clock' } };

interface Content {
  type: string;
  text?: string;
  thinking?: string;
}
interface ToolCall {
  id: string;
  type: string;
  function: { name: string; arguments: string };
}
interface Message {
  role: string;
  content?: Content[];
  tool_plan?: string;
  tool_calls?: ToolCall[];
}
interface Answer {
  id: string;
  message: Message;
  finish_reason: string;
  usage: Record<string, unknown>;
}
interface Delta {
  finish_reason?: string;
  usage?: Record<string, unknown>;
  message?: { content?: Content; tool_plan?: string; tool_calls?: ToolCall };
}
interface Event {
  type: string;
  id?: string;
  index: number;
  delta?: Delta;
}

const post = (change: object) => postJson(`${sandbox.origin}/v2/chat`, { ...asked, ...change }, headers);

function assemble(events: Event[]): Answer {
  const content: Content[] = [];
  const calls: ToolCall[] = [];
  let plan = '';
  for (const { type, index, delta } of events) {
    const { content: piece, tool_plan: step = '', tool_calls: call } = delta?.message ?? {};
    plan += step;
    if (type === 'content-start' && piece) content[index] = { ...piece };
    if (type === 'content-delta') {
      const open = content[index];
      if (open?.type === 'thinking') open.thinking += piece?.thinking ?? '';
      else if (open) open.text += piece?.text ?? '';
    }
    if (type === 'tool-call-start' && call) calls[index] = structuredClone(call);
    const open = calls[index];
    if (type === 'tool-call-delta' && call && open) open.function.arguments += call.function.arguments;
  }
  const { finish_reason = '', usage = {} } = events.find(({ type }) => type === 'message-end')?.delta ?? {};
  for (const call of calls) call.function.arguments ||= '{}';
  return {
    id: events[0]?.id ?? '',
    message: {
      role: 'assistant',
      ...((content.length > 0 || calls.length === 0) && { content }),
      ...(plan !== '' && { tool_plan: plan }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
    finish_reason,
    usage,
  };
}

const idless = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/\d{12}/g, ''));

/** Sends a request with and without streaming, and expects the same response. */
async function ask(change: object = {}): Promise<Answer> {
  const whole: Answer = JSON.parse(await (await post(change)).text());
  const events = readEvents(await (await post({ ...change, stream: true })).text());
  expect(events.at(-1)).toEqual({ event: null, data: '[DONE]' });
  const payloads: Event[] = events.slice(0, -1).map(({ data }) => JSON.parse(data));
  expect(events.slice(0, -1).map(({ event }) => event)).toEqual(payloads.map(({ type }) => type));
  expect(idless(assemble(payloads))).toEqual(idless(whole));
  return whole;
}

test('chat returns a complete response with types and token counts, streamed or not', async () => {
  const { id, message, finish_reason: finish, usage } = await ask();
  expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(message).toEqual({ role: 'assistant', content: [{ type: 'text', text: expect.any(String) }] });
  expect(finish).toBe('COMPLETE');
  expect(countTokens(message.content?.[0]?.text ?? '')).toBe(40);
  const tokens = { input_tokens: 7, output_tokens: 40 };
  expect(usage).toEqual({ billed_units: tokens, tokens, cached_tokens: 0 });
});

test('chat ends the text at a limit or stop sequence and returns the reason', async () => {
  expect(await ask({ max_tokens: 3 })).toMatchObject({ finish_reason: 'MAX_TOKENS' });
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'one two, three' }] }];
  expect(await ask({ model: 'sandbox-echo', messages, stop_sequences: [', th'] })).toMatchObject({
    finish_reason: 'STOP_SEQUENCE',
    message: { content: [{ text: 'one two' }] },
  });
});

test('chat puts a plan before parallel calls, one of them without arguments', async () => {
  const { message, finish_reason: finish } = await ask({ model: 'sandbox-tools', tools: [weather, clock] });
  expect(finish).toBe('TOOL_CALL');
  expect(message).toEqual({
    role: 'assistant',
    tool_plan: expect.stringMatching(/\.$/),
    tool_calls: [
      {
        id: expect.any(String),
        type: 'function',
        function: { name: 'weather', arguments: '{"city":"text"}' },
      },
      { id: expect.any(String), type: 'function', function: { name: 'clock', arguments: '{}' } },
    ],
  });
  expect(message.tool_calls?.[0]?.id).not.toBe(message.tool_calls?.[1]?.id);
});

test('chat follows the tool choice and returns text after tool results', async () => {
  const tools = [weather];
  expect((await ask({ tools, tool_choice: 'REQUIRED' })).finish_reason).toBe('TOOL_CALL');
  expect((await ask({ model: 'sandbox-tool', tools, tool_choice: 'NONE' })).finish_reason).toBe('COMPLETE');
  const { message } = await ask({ model: 'sandbox-tool', tools });
  const id = message.tool_calls?.[0]?.id;
  const messages = [...asked.messages, message, { role: 'tool', tool_call_id: id, content: 'Sunny' }];
  const after = await ask({ model: 'sandbox-tool', tools, messages });
  expect(after).toMatchObject({ finish_reason: 'COMPLETE', usage: { tokens: { input_tokens: 8 } } });
});

test('chat returns thinking as separate content and counts it', async () => {
  const { message, usage } = await ask({ model: 'sandbox-reasoning' });
  expect(message.content).toMatchObject([{ type: 'thinking' }, { type: 'text' }]);
  expect(countTokens(message.content?.[0]?.thinking ?? '')).toBe(24);
  expect(usage).toMatchObject({ tokens: { output_tokens: 64, reasoning_tokens: 24 } });
  const short = await ask({ thinking: { type: 'enabled', token_budget: 5 } });
  expect(short.usage).toMatchObject({ tokens: { output_tokens: 45, reasoning_tokens: 5 } });
  const silent = await ask({ model: 'sandbox-reasoning', thinking: { type: 'disabled' } });
  expect(silent.message.content).toHaveLength(1);
});

test('chat returns JSON on request, matching the schema if there is one', async () => {
  const textOf = async (response_format: object) =>
    (await ask({ response_format })).message.content?.[0]?.text ?? '';
  expect(await textOf({ type: 'json_object', json_schema: city })).toBe('{"city":"text"}');
  expect(JSON.parse(await textOf({ type: 'json_object' }))).toEqual({ answer: expect.any(String) });
});

test('chat detects images', async () => {
  const content = [
    { type: 'text', text: 'Look' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
  ];
  const { message } = await ask({ messages: [{ role: 'user', content }] });
  expect(message.content?.[0]?.text).toMatch(/^I see image\/png of 8 bytes\.\n/);
});

test('chat reports tokens read from a cache in addition to the input', async () => {
  expect((await ask({ model: 'sandbox-normal:cached_tokens=5' })).usage).toMatchObject({
    tokens: { input_tokens: 7 },
    cached_tokens: 5,
  });
});

test('chat reports filtered responses as toxic, with or without text', async () => {
  expect(await ask({ model: 'sandbox-refusal' })).toMatchObject({
    finish_reason: 'ERROR_TOXIC',
    message: { content: [{ text: 'I cannot help with that.' }] },
  });
  expect(await ask({ model: 'sandbox-blocked' })).toMatchObject({
    finish_reason: 'ERROR_TOXIC',
    message: { content: [] },
  });
});

test('chat journals the tokens of each event of a stream', async () => {
  sandbox.journal.clear();
  const model = 'sandbox-tools:preface_tokens=3,cached_tokens=2,calls=1';
  await (
    await post({ model, tools: [clock], stream: true, thinking: { type: 'enabled', token_budget: 4 } })
  ).text();
  expect(sandbox.journal.entries()).toMatchObject([
    {
      protocol: 'cohere',
      operation: 'generate',
      promptTokens: 7,
      cachedTokens: 2,
      completionTokens: 4 + 3 + 2,
      reasoningTokens: 4,
      // Runs: message-start and content-start; thinking; content-end; plan; tool-call-start; tool-call-end,
      // message-end and [DONE].
      frames: [
        { count: 2, tokensEach: 0 },
        { count: 4, tokensEach: 1 },
        { count: 1, tokensEach: 0 },
        { count: 3, tokensEach: 1 },
        { count: 1, tokensEach: 2 },
        { count: 3, tokensEach: 0 },
      ],
    },
  ]);
});

const use = (id: string) => ({ id, type: 'function', function: { name: 'weather', arguments: '{}' } });
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'Sunny' });
const [, user] = asked.messages;

test('chat accepts every documented parameter and every kind of message', async () => {
  const every = {
    citation_options: { mode: 'FAST' },
    documents: ['Notes', { id: 'doc-1', data: { text: 'Notes' } }],
    ...{ frequency_penalty: 0.5, presence_penalty: 0.5, k: 5, p: 0.5, temperature: 1, seed: 7 },
    ...{ logprobs: true, max_tokens: null, priority: 1, raw_prompting: false, strict_tools: true },
    ...{ safety_mode: 'STRICT', stop_sequences: ['END'], thinking: { type: 'enabled' } },
    tools: [weather],
    messages: [
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
      user,
      {
        role: 'assistant',
        tool_plan: 'Hm',
        tool_calls: [use('a'), use('b')],
        content: [{ type: 'thinking', thinking: 'Hm' }],
      },
      result('a'),
      { ...result('b'), content: [{ type: 'document', document: { data: 'Rain' } }] },
      { role: 'assistant', content: 'Well' },
      { role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] },
    ],
  };
  expect((await post(every)).status).toBe(200);
});

test.each<[string, object]>([
  ['messages: this field is required', { messages: undefined }],
  ['messages: at least 1', { messages: [] }],
  ['task_id: unknown parameter', { task_id: 5 }],
  ['max_completion_tokens: unknown parameter', { max_completion_tokens: 5 }],
  ['stream_options: unknown parameter', { stream_options: {} }],
  ['stop: unknown parameter', { stop: 'END' }],
  ['top_p: unknown parameter', { top_p: 0.5 }],
  ['temperature: at most 1', { temperature: 1.1 }],
  ['p: at most 0.99', { p: 1 }],
  ['stop_sequences: at most 5', { stop_sequences: [...'abcdef'] }],
  ['messages[0].role: expected one of', { messages: [{ role: 'developer', content: 'x' }] }],
  ['must be at least 1 token long', { messages: [{ role: 'user', content: '' }] }],
  [
    'must be a URL',
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'AAAA' } }] }] },
  ],
  ['a message must have content', { messages: [user, { role: 'assistant', content: null }, user] }],
  ['missing: b', { messages: [user, { role: 'assistant', tool_calls: [use('a'), use('b')] }, result('a')] }],
  ['must be a response to a preceding', { messages: [user, result('a')] }],
  [
    'arguments: expected a string',
    {
      messages: [
        user,
        { role: 'assistant', tool_calls: [{ ...use('a'), function: { name: 'a', arguments: {} } }] },
        result('a'),
      ],
    },
  ],
  ['tool_choice: expected one of REQUIRED, NONE', { tools: [weather], tool_choice: 'auto' }],
  [
    'tool_choice: expected a string',
    { tools: [weather], tool_choice: { type: 'function', function: { name: 'weather' } } },
  ],
  ['tool_choice: only allowed with tools', { tool_choice: 'REQUIRED' }],
  [
    'response_format: JSON cannot be requested',
    { tools: [weather], response_format: { type: 'json_object' } },
  ],
  ['response_format.type: expected one of', { response_format: { type: 'json_schema' } }],
])('chat rejects a request with "%s"', async (message, change) => {
  const response = await post(change);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    id: expect.any(String),
    message: expect.stringContaining(message),
  });
});

test.each([
  ['sandbox-refuse-key', 401],
  ['sandbox-rate-limited', 429],
  ['sandbox-error-500', 500],
  ['sandbox-overloaded', 503],
  ['sandbox-nothing', 404],
  ['sandbox-embedding', 404],
  ['sandbox-normal:tokens=x', 400],
])('chat rejects %s with %i', async (model, status) => {
  const response = await post({ model });
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual({ id: expect.any(String), message: expect.any(String) });
});

test("listModels requires a key and returns pages at the path with the vendor's name", async () => {
  const url = `${sandbox.origin}/cohere/v1/models`;
  expect((await fetch(url)).status).toBe(401);
  expect(
    (await postJson(`${sandbox.origin}/v2/chat`, asked, { authorization: 'Bearer sk-wrong' })).status,
  ).toBe(401);
  const read = async (path: string) => JSON.parse(await (await fetch(url + path, { headers })).text());
  const first = await read('?page_size=3');
  expect(first.models).toHaveLength(3);
  expect(first.models[0]).toMatchObject({ name: 'sandbox-normal', endpoints: ['chat'] });
  const second = await read(`?page_size=1000&page_token=${first.next_page_token}`);
  expect(second.models).toContainEqual(
    expect.objectContaining({ name: 'sandbox-embedding', endpoints: ['embed'] }),
  );
  expect(second).not.toHaveProperty('next_page_token');
  expect(await read('/sandbox-slow')).toMatchObject({ name: 'sandbox-slow' });
  expect(await read('/gpt-4o')).toMatchObject({ message: expect.stringContaining('gpt-4o') });
});
