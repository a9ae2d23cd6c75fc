import OpenAI from 'openai';
import type {
  FunctionTool,
  NamespaceTool,
  Response,
  ResponseCreateParamsNonStreaming,
  ResponseInput,
} from 'openai/resources/responses/responses';
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

const weather: FunctionTool = {
  type: 'function',
  name: 'weather',
  strict: true,
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};
const clock: FunctionTool = { type: 'function', name: 'clock', strict: false, parameters: null };

type Asked = Omit<ResponseCreateParamsNonStreaming, 'stream'>;

const asked: Asked = {
  model: 'sandbox-normal',
  instructions: 'Be brief.',
  input: 'Tell me about rivers',
};

const idless = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/(_|resp_)\d{12}/g, '$1'));

/** Sends a request with and without streaming, and expects the same response. */
async function ask(changes: Partial<Asked> = {}): Promise<Response> {
  const whole = await client.responses.create({ ...asked, ...changes });
  const streamed = await client.responses.stream({ ...asked, ...changes }).finalResponse();
  expect(idless(streamed.output)).toMatchObject(idless(whole.output));
  expect(streamed).toMatchObject({ status: whole.status, usage: whole.usage });
  return whole;
}

test('createResponse returns a complete response with types and token counts, streamed or not', async () => {
  const response = await ask();
  expect(response).toMatchObject({
    object: 'response',
    model: 'sandbox-normal',
    status: 'completed',
    error: null,
    incomplete_details: null,
    instructions: 'Be brief.',
    output: [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text' }] }],
    usage: { input_tokens: 7, output_tokens: 40, total_tokens: 47 },
  });
  expect(countTokens(response.output_text)).toBe(40);
});

test('createResponse handles a string, an equivalent message and equivalent items alike', async () => {
  const { output_text: text } = await ask();
  const content = [{ type: 'input_text' as const, text: 'Tell me about rivers' }];
  for (const input of [
    [{ role: 'user', content }],
    [{ type: 'message', role: 'user', content }],
  ] as ResponseInput[])
    expect((await ask({ input })).output_text).toBe(text);
});

test('createResponse returns an incomplete response at a limit or after a filter', async () => {
  expect(await ask({ max_output_tokens: 16 })).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'max_output_tokens' },
    output: [{ status: 'incomplete' }],
    usage: { output_tokens: 16 },
  });
  expect(await ask({ model: 'sandbox-blocked' })).toMatchObject({
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
    output: [],
  });
});

test('createResponse returns a refusal as a separate part', async () => {
  const { output } = await ask({ model: 'sandbox-refusal' });
  expect(output).toMatchObject([{ content: [{ type: 'refusal', refusal: 'I cannot help with that.' }] }]);
});

test('createResponse calls a function in a namespace by both names', async () => {
  const sky: NamespaceTool = {
    type: 'namespace',
    name: 'sky',
    description: 'Skies.',
    tools: [{ type: 'function', name: 'look', parameters: {} }],
  };
  const expected = { type: 'function_call', name: 'look', namespace: 'sky' };
  const { output } = await ask({ model: 'sandbox-tool', tools: [sky] });
  expect(output).toMatchObject([expected]);
  const brought = { type: 'additional_tools' as const, role: 'developer' as const, tools: [sky] };
  const later = await ask({ model: 'sandbox-tool', input: [brought, { role: 'user', content: 'Look' }] });
  expect(later.output).toMatchObject([expected]);
});

test('createResponse calls several tools in parallel, one without arguments', async () => {
  const { output } = await ask({ model: 'sandbox-tools', tools: [weather, clock] });
  expect(output).toMatchObject([
    { type: 'message' },
    { type: 'function_call', name: 'weather', arguments: '{"city":"text"}', status: 'completed' },
    { type: 'function_call', name: 'clock', arguments: '{}' },
  ]);
  const single = await ask({ model: 'sandbox-tools', tools: [weather, clock], parallel_tool_calls: false });
  expect(single.output).toHaveLength(2);
});

test('createResponse calls a forced tool with sandbox-normal, an allowed tool with sandbox-tool, and none if tools are forbidden', async () => {
  const tools = [weather, clock];
  const forced = await ask({ tools, tool_choice: { type: 'function', name: 'clock' } });
  expect(forced.output).toMatchObject([{ type: 'function_call', name: 'clock' }]);
  const allowed = {
    type: 'allowed_tools',
    mode: 'auto',
    tools: [{ type: 'function', name: 'clock' }],
  } as const;
  const chosen = await ask({
    model: 'sandbox-tool',
    tools,
    tool_choice: { ...allowed, tools: [...allowed.tools] },
  });
  expect(chosen.output).toMatchObject([{ name: 'clock' }]);
  const silent = await ask({ model: 'sandbox-tool', tools, tool_choice: 'none' });
  expect(silent.output).toMatchObject([{ type: 'message' }]);
});

test('createResponse returns reasoning first and requires it together with the items that followed', async () => {
  const thoughtful = {
    model: 'sandbox-tool',
    tools: [weather],
    store: false,
    reasoning: { effort: 'low', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
  } satisfies Partial<Asked>;
  const first = await ask(thoughtful);
  const [thought, call] = first.output;
  if (thought?.type !== 'reasoning' || call?.type !== 'function_call')
    throw new Error('no thought or no call');
  expect(countTokens(thought.summary[0]?.text ?? '')).toBe(24);
  expect(first.usage?.output_tokens_details).toEqual({ reasoning_tokens: 24 });

  const question = { role: 'user' as const, content: 'Tell me about rivers' };
  const result = { type: 'function_call_output' as const, call_id: call.call_id, output: 'Sunny' };
  const next = (...items: ResponseInput) =>
    client.responses.create({ ...asked, ...thoughtful, input: [question, ...items] });
  expect(await next(thought, call, result)).toMatchObject({ output: [{}, { type: 'message' }] });
  const { id: _, ...withoutId } = call;
  expect(await next(withoutId, result)).toMatchObject({ status: 'completed' });

  const changes: [ResponseInput, object][] = [
    [[call, result], { message: expect.stringContaining("without its required 'reasoning' item") }],
    [[thought, question], { message: expect.stringContaining('without its required following item') }],
    [[{ ...thought, encrypted_content: 'gAAA' }, call, result], { code: 'invalid_encrypted_content' }],
    [
      [{ ...thought, encrypted_content: null }, call, result],
      { message: expect.stringContaining('not found') },
    ],
  ];
  for (const [items, problem] of changes)
    await expect(next(...items)).rejects.toMatchObject({ status: 400, ...problem });
});

test('createResponse bills reasoning without a summary and returns it as an empty item', async () => {
  const { output, usage } = await ask({ model: 'sandbox-reasoning' });
  expect(output).toMatchObject([{ type: 'reasoning', summary: [] }, { type: 'message' }]);
  expect(output[0]).not.toHaveProperty('encrypted_content');
  expect(usage).toMatchObject({ output_tokens: 64, output_tokens_details: { reasoning_tokens: 24 } });
  expect((await ask({ model: 'sandbox-reasoning', reasoning: { effort: 'none' } })).output).toHaveLength(1);
});

test('createResponse returns JSON on request, matching the schema if there is one', async () => {
  const schema = {
    type: 'object',
    properties: { depth: { type: 'number', minimum: 2 } },
    required: ['depth'],
    additionalProperties: false,
  };
  const format = { type: 'json_schema' as const, name: 'river', strict: true, schema };
  expect((await ask({ text: { format } })).output_text).toBe('{"depth":2}');
  const { output_text: text } = await ask({ text: { format: { type: 'json_object' } } });
  expect(JSON.parse(text)).toEqual({ answer: expect.any(String) });
});

test('createResponse detects images and files', async () => {
  const content = [
    { type: 'input_text' as const, text: 'Look' },
    {
      type: 'input_image' as const,
      detail: 'auto' as const,
      image_url: 'data:image/png;base64,iVBORw0KGgo=',
    },
    { type: 'input_file' as const, filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' },
  ];
  const { output_text: text } = await ask({ input: [{ role: 'user', content }] });
  expect(text).toMatch(/^I see image\/png of 8 bytes, application\/pdf of 4 bytes\.\n/);
});

test('createResponse includes tokens read from a cache in the input', async () => {
  const { usage } = await ask({ model: 'sandbox-normal:cached_tokens=5' });
  expect(usage).toMatchObject({ input_tokens: 7, input_tokens_details: { cached_tokens: 5 } });
});

test('createResponse numbers events without gaps, and item ids of events match their output index', async () => {
  const stream = await client.responses.create({
    ...asked,
    model: 'sandbox-tools:tokens=2',
    tools: [clock],
    reasoning: { summary: 'auto' },
    stream: true,
  });
  const events = await Array.fromAsync(stream);
  expect(events.map(({ sequence_number: number }) => number)).toEqual(events.map((_, index) => index));
  const added = events.flatMap((event) =>
    event.type === 'response.output_item.added' ? [event.item.id] : [],
  );
  for (const event of events) if ('item_id' in event) expect(added[event.output_index]).toBe(event.item_id);
  expect(new Set(added).size).toBe(4);
});

test('createResponse journals the tokens of each event of a stream', async () => {
  sandbox.journal.clear();
  await client.responses
    .stream({ ...asked, model: 'sandbox-reasoning:tokens=2,cached_tokens=3' })
    .finalResponse();
  expect(sandbox.journal.entries()).toMatchObject([
    {
      protocol: 'openai-responses',
      promptTokens: 7,
      cachedTokens: 3,
      completionTokens: 26,
      reasoningTokens: 24,
      frames: [
        { count: 3, tokensEach: 0 },
        { count: 1, tokensEach: 24 },
        { count: 2, tokensEach: 0 },
        { count: 2, tokensEach: 1 },
        { count: 4, tokensEach: 0 },
      ],
    },
  ]);
});

test.each([
  ['sandbox-refuse-key', OpenAI.AuthenticationError, { status: 401, code: 'invalid_api_key' }],
  ['sandbox-rate-limited', OpenAI.RateLimitError, { status: 429, code: 'rate_limit_exceeded' }],
  ['sandbox-error-500', OpenAI.InternalServerError, { status: 500, type: 'server_error' }],
  ['sandbox-nothing', OpenAI.BadRequestError, { status: 400, code: 'model_not_found', param: 'model' }],
])('createResponse rejects %s with an error that the client recognizes', async (model, kind, details) => {
  for (const stream of [false, true]) {
    const error = await client.responses.create({ ...asked, model, stream }).catch((reason) => reason);
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject(details);
  }
});

test('createResponse ends a stream that fails in progress with a failed response', async () => {
  const stream = await client.responses.create({ ...asked, model: 'sandbox-stream-error', stream: true });
  const events = await Array.fromAsync(stream);
  expect(events.at(-1)).toMatchObject({
    type: 'response.failed',
    sequence_number: events.length - 1,
    response: { status: 'failed', error: { code: 'server_error' }, usage: null },
  });
});
