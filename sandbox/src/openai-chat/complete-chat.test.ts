import OpenAI from 'openai';
import type { ChatCompletionChunk, ChatCompletionTool } from 'openai/resources/chat/completions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countTokens } from '../generation/prompt.ts';
import { type Sandbox, startSandbox } from '../start.ts';

let sandbox: Sandbox;
let client: OpenAI;

beforeAll(async () => {
  sandbox = await startSandbox();
  client = new OpenAI({ baseURL: `${sandbox.origin}/v1`, apiKey: 'sk-test', maxRetries: 0 });
});
afterAll(() => sandbox.close());

const messages = [
  { role: 'system' as const, content: 'Be brief.' },
  { role: 'user' as const, content: 'Tell me about rivers' },
];

const weather: ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
};

async function collect(stream: AsyncIterable<ChatCompletionChunk>): Promise<ChatCompletionChunk[]> {
  return Array.fromAsync(stream);
}

function textOf(chunks: ChatCompletionChunk[], choice = 0): string {
  return chunks
    .flatMap(({ choices }) => choices)
    .filter(({ index }) => index === choice)
    .map(({ delta }) => delta.content ?? '')
    .join('');
}

test('completeChat returns a complete response with types and token counts according to the token rule', async () => {
  const completion = await client.chat.completions.create({ model: 'sandbox-normal', messages });
  const [choice] = completion.choices;
  expect(completion).toMatchObject({ object: 'chat.completion', model: 'sandbox-normal' });
  expect(choice).toMatchObject({
    index: 0,
    finish_reason: 'stop',
    message: { role: 'assistant', refusal: null },
  });
  expect(countTokens(choice?.message.content ?? '')).toBe(40);
  expect(completion.usage).toMatchObject({
    prompt_tokens: 7,
    completion_tokens: 40,
    total_tokens: 47,
    prompt_tokens_details: { cached_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0 },
  });
});

test('completeChat returns the same response, streamed or not, only for the same prompt', async () => {
  const ask = async (content: string) => {
    const { choices } = await client.chat.completions.create({
      model: 'sandbox-normal',
      messages: [{ role: 'user', content }],
    });
    return choices[0]?.message.content;
  };
  const stream = await client.chat.completions.create({ model: 'sandbox-normal', messages, stream: true });
  expect(await ask('Tell me about rivers')).toBe(await ask('Tell me about rivers'));
  expect(await ask('Tell me about rivers')).toBe(textOf(await collect(stream)));
  expect(await ask('Tell me about gates')).not.toBe(await ask('Tell me about rivers'));
});

test('completeChat streams one role chunk, one chunk per token, one finish chunk and no usage by default', async () => {
  const stream = await client.chat.completions.create({
    model: 'sandbox-normal:tokens=3',
    messages,
    stream: true,
  });
  const chunks = await collect(stream);
  expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
    { role: 'assistant', content: '', refusal: null },
    ...[expect.any(String), expect.any(String), '.'].map((content) => ({ content })),
    {},
  ]);
  expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, null, null, 'stop']);
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  expect(chunks.every((chunk) => !('usage' in chunk))).toBe(true);
});

test('completeChat streams requested usage last and without choices', async () => {
  const stream = await client.chat.completions.create({
    model: 'sandbox-normal:cached_tokens=5',
    messages,
    stream: true,
    stream_options: { include_usage: true },
  });
  const chunks = await collect(stream);
  expect(chunks.at(-1)).toMatchObject({
    choices: [],
    usage: { prompt_tokens: 7, completion_tokens: 40, prompt_tokens_details: { cached_tokens: 5 } },
  });
  expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
});

test.each(['max_tokens', 'max_completion_tokens'])(
  'completeChat truncates the response at %s and reports the limit',
  async (name) => {
    const { choices, usage } = await client.chat.completions.create({
      model: 'sandbox-normal',
      messages,
      [name]: 5,
    });
    expect(choices[0]?.finish_reason).toBe('length');
    expect(countTokens(choices[0]?.message.content ?? '')).toBe(5);
    expect(usage?.completion_tokens).toBe(5);
  },
);

test('completeChat truncates nothing if the limit equals the length', async () => {
  const { choices } = await client.chat.completions.create({
    model: 'sandbox-normal',
    messages,
    max_tokens: 40,
  });
  expect(choices[0]?.finish_reason).toBe('stop');
});

test('completeChat ends the text before the first stop sequence, even if it spans tokens', async () => {
  const echo = {
    model: 'sandbox-echo',
    messages: [{ role: 'user' as const, content: 'one two, three four' }],
  };
  const { choices, usage } = await client.chat.completions.create({ ...echo, stop: ['four', 'o, t'] });
  expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'one tw' } });
  expect(usage?.completion_tokens).toBe(2);
});

test('completeChat returns several distinct, complete choices and bills all of them', async () => {
  const request = { model: 'sandbox-normal', messages, n: 3 };
  const { choices, usage } = await client.chat.completions.create(request);
  expect(choices.map(({ index }) => index)).toEqual([0, 1, 2]);
  expect(new Set(choices.map(({ message }) => message.content)).size).toBe(3);
  expect(usage?.completion_tokens).toBe(120);

  const chunks = await collect(await client.chat.completions.create({ ...request, stream: true }));
  expect([0, 1, 2].map((index) => textOf(chunks, index))).toEqual(
    choices.map(({ message }) => message.content),
  );
  const finishes = chunks
    .flatMap((chunk) => chunk.choices)
    .filter(({ finish_reason: reason }) => reason !== null);
  expect(finishes.map(({ index, finish_reason: reason }) => [index, reason])).toEqual([
    [0, 'stop'],
    [1, 'stop'],
    [2, 'stop'],
  ]);
});

test('sandbox-tool calls the given tool with arguments that match its schema', async () => {
  const { choices } = await client.chat.completions.create({
    model: 'sandbox-tool',
    messages,
    tools: [weather],
  });
  expect(choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: {
      content: null,
      tool_calls: [{ type: 'function', function: { name: 'weather', arguments: '{"city":"text"}' } }],
    },
  });
});

test('sandbox-tool streams the name of the tool once and its arguments in fragments', async () => {
  const stream = await client.chat.completions.create({
    model: 'sandbox-tool',
    messages,
    tools: [weather],
    stream: true,
  });
  const deltas = (await collect(stream)).flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []);
  expect(deltas[0]).toMatchObject({ index: 0, id: expect.any(String), function: { name: 'weather' } });
  expect(deltas.slice(1).every(({ id }) => id === undefined)).toBe(true);
  expect(deltas.length).toBeGreaterThan(3);
  expect(deltas.map((delta) => delta.function?.arguments).join('')).toBe('{"city":"text"}');
});

test('sandbox-tool calls the chosen tool', async () => {
  const clock: ChatCompletionTool = { type: 'function', function: { name: 'clock' } };
  const { choices } = await client.chat.completions.create({
    model: 'sandbox-tool',
    messages,
    tools: [weather, clock],
    tool_choice: { type: 'function', function: { name: 'clock' } },
  });
  expect(choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'clock', arguments: '{}' } }]);
});

test('sandbox-tool returns text if there are no tools, if they are forbidden, and after a tool result', async () => {
  const asked = { model: 'sandbox-tool', messages, tools: [weather] };
  const call = { id: 'call_1', type: 'function' as const, function: { name: 'weather', arguments: '{}' } };
  const requests = [
    { model: 'sandbox-tool', messages },
    { ...asked, tool_choice: 'none' as const },
    {
      ...asked,
      messages: [
        ...messages,
        { role: 'assistant' as const, tool_calls: [call] },
        { role: 'tool' as const, tool_call_id: 'call_1', content: 'Sunny' },
      ],
    },
  ];
  for (const request of requests) {
    const { choices } = await client.chat.completions.create(request);
    expect(choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: expect.any(String) } });
  }
});

test('sandbox-tools returns text and calls every function, or one if parallel calls are not allowed', async () => {
  const clock: ChatCompletionTool = { type: 'function', function: { name: 'clock' } };
  const request = { model: 'sandbox-tools', messages, tools: [weather, clock] };
  const { choices, usage } = await client.chat.completions.create(request);
  const calls = choices[0]?.message.tool_calls ?? [];
  expect(choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: { content: expect.stringMatching(/\.$/) },
  });
  expect(calls).toMatchObject([
    { function: { name: 'weather', arguments: '{"city":"text"}' } },
    { function: { name: 'clock', arguments: '{}' } },
  ]);
  expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  expect(usage?.completion_tokens).toBe(8 + countTokens('{"city":"text"}{}'));

  const chunks = await collect(await client.chat.completions.create({ ...request, stream: true }));
  const deltas = chunks.flatMap((chunk) => chunk.choices[0]?.delta.tool_calls ?? []);
  expect(textOf(chunks)).toBe(choices[0]?.message.content);
  expect(deltas.filter(({ id }) => id).map(({ index, function: tool }) => [index, tool?.name])).toEqual([
    [0, 'weather'],
    [1, 'clock'],
  ]);
  const argumentsAt = (wanted: number) =>
    deltas.map(({ index, function: tool }) => (index === wanted ? tool?.arguments : '')).join('');
  expect([0, 1].map(argumentsAt)).toEqual(['{"city":"text"}', '{}']);

  const single = await client.chat.completions.create({ ...request, parallel_tool_calls: false });
  expect(single.choices[0]?.message.tool_calls).toHaveLength(1);
});

test('completeChat calls a required tool with sandbox-normal, which otherwise returns text', async () => {
  const request = { model: 'sandbox-normal', messages, tools: [weather] };
  const { choices } = await client.chat.completions.create({ ...request, tool_choice: 'required' });
  expect(choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'weather' } }]);
  const free = await client.chat.completions.create(request);
  expect(free.choices[0]?.finish_reason).toBe('stop');
});

test('completeChat returns a refusal separately from the content, streamed or not, and no content for a block', async () => {
  const request = { model: 'sandbox-refusal', messages };
  const { choices } = await client.chat.completions.create(request);
  expect(choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: { content: null, refusal: 'I cannot help with that.' },
  });
  const chunks = await collect(await client.chat.completions.create({ ...request, stream: true }));
  const refusal = chunks.map((chunk) => chunk.choices[0]?.delta.refusal ?? '').join('');
  expect(refusal).toBe('I cannot help with that.');
  const blocked = await client.chat.completions.create({ model: 'sandbox-blocked', messages });
  expect(blocked.choices[0]).toMatchObject({ finish_reason: 'content_filter', message: { content: '' } });
});

test('completeChat detects type, size and cost of images', async () => {
  const { choices, usage } = await client.chat.completions.create({
    model: 'sandbox-normal',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Compare' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
          { type: 'image_url', image_url: { url: 'https://example.com/river.png' } },
        ],
      },
    ],
  });
  expect(choices[0]?.message.content).toMatch(/^I see image\/png of 8 bytes, image at a URL\.\n/);
  expect(usage?.prompt_tokens).toBe(1 + 2 * 85);
});

test('completeChat returns JSON on request, matching the schema if there is one', async () => {
  const ask = async (format: OpenAI.ResponseFormatJSONObject | OpenAI.ResponseFormatJSONSchema) => {
    const request = { model: 'sandbox-normal', messages, response_format: format };
    const { choices } = await client.chat.completions.create(request);
    return JSON.parse(choices[0]?.message.content ?? '');
  };
  const schema = {
    type: 'object',
    properties: { depth: { type: 'number', minimum: 2 } },
    required: ['depth'],
  };
  expect(await ask({ type: 'json_object' })).toEqual({ answer: expect.any(String) });
  expect(await ask({ type: 'json_schema', json_schema: { name: 'river', schema } })).toEqual({ depth: 2 });
});

test('completeChat bills reasoning and counts it toward the limit', async () => {
  const ask = (cap: number) =>
    client.chat.completions.create({ model: 'sandbox-reasoning', messages, max_completion_tokens: cap });
  const whole = await ask(100);
  expect(whole.usage).toMatchObject({
    completion_tokens: 64,
    completion_tokens_details: { reasoning_tokens: 24 },
  });
  const cut = await ask(30);
  expect(cut.usage).toMatchObject({
    completion_tokens: 30,
    completion_tokens_details: { reasoning_tokens: 24 },
  });
  expect(cut.choices[0]?.finish_reason).toBe('length');
  const silent = await ask(10);
  expect(silent.usage).toMatchObject({
    completion_tokens: 10,
    completion_tokens_details: { reasoning_tokens: 10 },
  });
  expect(silent.choices[0]).toMatchObject({ finish_reason: 'length', message: { content: '' } });
});

test('sandbox-echo repeats the last user message byte for byte', async () => {
  const content = ' Größe 👍🏽\n\tline "two" \\ \u2028 ';
  const { choices } = await client.chat.completions.create({
    model: 'sandbox-echo',
    messages: [
      { role: 'user', content: 'not this' },
      { role: 'user', content: [{ type: 'text', text: content }] },
      { role: 'assistant', content: 'nor this' },
    ],
  });
  expect(choices[0]?.message.content).toBe(content);
});

test('sandbox-inspect returns headers and body as received with a masked key, regardless of limits', async () => {
  const body = `{ "model": "sandbox-inspect", "max_tokens": 1, "messages": [{ "role": "user", "content": "\\u0041" }] }`;
  const response = await fetch(`${sandbox.origin}/v1/chat/completions?trace=1`, {
    method: 'POST',
    body,
    headers: { authorization: 'Bearer sk-secret-9876', 'x-trace': 'abc' },
  });
  const { choices } = JSON.parse(await response.text());
  const seen = JSON.parse(choices[0].message.content);
  expect(seen.body).toBe(body);
  expect(seen.path).toBe('/v1/chat/completions?trace=1');
  expect(seen.headers).toMatchObject({ authorization: '****9876', 'x-trace': 'abc' });
  expect(choices[0].message.content).not.toContain('sk-secret');
});

test.each([
  ['sandbox-refuse-key', OpenAI.AuthenticationError, { status: 401, code: 'invalid_api_key' }],
  [
    'sandbox-rate-limited',
    OpenAI.RateLimitError,
    { status: 429, code: 'rate_limit_exceeded', type: 'tokens' },
  ],
  ['sandbox-error-500', OpenAI.InternalServerError, { status: 500, type: 'server_error' }],
  ['sandbox-overloaded', OpenAI.InternalServerError, { status: 503, type: 'server_error' }],
  ['sandbox-nothing', OpenAI.NotFoundError, { status: 404, code: 'model_not_found' }],
  ['sandbox-normal:tokens=x', OpenAI.BadRequestError, { status: 400, param: 'model' }],
])('completeChat rejects %s with an error that the client recognizes', async (model, kind, details) => {
  for (const stream of [false, true]) {
    const error = await client.chat.completions.create({ model, messages, stream }).catch((reason) => reason);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject(details);
  }
});

test('completeChat sends Retry-After with a rate limit error', async () => {
  const error = await client.chat.completions
    .create({ model: 'sandbox-rate-limited', messages })
    .catch((reason) => reason);
  expect(error.headers.get('retry-after')).toBe('7');
});

test('completeChat sends the request id and the processing time as response headers', async () => {
  const { response, request_id: requestId } = await client.chat.completions
    .create({ model: 'sandbox-normal:first_byte_ms=20', messages })
    .withResponse();
  expect(requestId).toMatch(/^req_/);
  expect(Number(response.headers.get('openai-processing-ms'))).toBeGreaterThanOrEqual(15);
});
