import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWireCases } from '../../../server/test/requests/wire-cases.ts';
import { countTokens } from '../generation/prompt.ts';
import { modelNames } from '../models/catalogue.ts';
import { type Sandbox, startSandbox } from '../start.ts';
import { postJson } from '../testing/raw-http.ts';
import { deriveShapes, findDifferences } from '../testing/shape.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

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
const png = 'iVBORw0KGgo=';

interface Message {
  role: string;
  content: string;
  thinking?: string;
  tool_calls?: object[];
}
type Line = Record<string, unknown> & { message: Message; done: boolean };

const post = (change: object, path = '/api/chat') =>
  postJson(sandbox.origin + path, { ...asked, ...change }, {});
const readLines = async (response: Response): Promise<Line[]> =>
  (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

const idless = (value: unknown) => JSON.parse(JSON.stringify(value).replaceAll(/\d{12}/g, ''));

/** Sends a request with and without streaming, and expects the same response. */
async function ask(change: object = {}): Promise<Line> {
  const whole: Line = JSON.parse(await (await post({ ...change, stream: false })).text());
  const lines = await readLines(await post(change));
  const join = (read: (message: Message) => string | undefined) =>
    lines.map(({ message }) => read(message) ?? '').join('');
  const thinking = join((message) => message.thinking);
  const calls = lines.flatMap(({ message }) => message.tool_calls ?? []);
  const last: Partial<Line> = { ...lines.at(-1), created_at: whole.created_at };
  const message = {
    role: 'assistant',
    content: join(({ content }) => content),
    ...(thinking !== '' && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  expect(idless({ ...last, message })).toEqual(idless(whole));
  expect(lines.slice(0, -1).every(({ done }) => done === false)).toBe(true);
  return whole;
}

test('chat returns a complete response with types and token counts, streamed or not', async () => {
  const line = await ask();
  expect(line).toMatchObject({
    model: 'sandbox-normal',
    created_at: expect.stringMatching(/Z$/),
    message: { role: 'assistant' },
    done: true,
    done_reason: 'stop',
    prompt_eval_count: 7,
    eval_count: 40,
  });
  expect(countTokens(line.message.content)).toBe(40);
});

test('chat streams by default', async () => {
  const response = await post({});
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  expect(await readLines(response)).toHaveLength(41);
});

test('chat accepts a model name with its tag', async () => {
  expect(await ask({ model: 'sandbox-normal:latest' })).toMatchObject({ model: 'sandbox-normal:latest' });
  expect((await ask({ model: 'sandbox-normal:tokens=3' })).eval_count).toBe(3);
});

test('chat ends the text at a limit or stop sequence, and has no limit for num_predict -1', async () => {
  expect(await ask({ options: { num_predict: 3 } })).toMatchObject({ done_reason: 'length', eval_count: 3 });
  expect((await ask({ options: { num_predict: -1 } })).eval_count).toBe(40);
  const messages = [{ role: 'user', content: 'one two, three' }];
  const echo = await ask({ model: 'sandbox-echo', messages, options: { stop: [', th'] } });
  expect(echo).toMatchObject({ done_reason: 'stop', message: { content: 'one two' } });
});

test('chat returns complete parallel calls after some text', async () => {
  const {
    message,
    done_reason: reason,
    eval_count: count,
  } = await ask({ model: 'sandbox-tools', tools: [weather, clock] });
  expect(reason).toBe('stop');
  expect(message.tool_calls).toMatchObject([
    { id: expect.any(String), function: { index: 0, name: 'weather', arguments: { city: 'text' } } },
    { id: expect.any(String), function: { index: 1, name: 'clock', arguments: {} } },
  ]);
  expect(count).toBe(8 + countTokens('{"city":"text"}{}'));
  const messages = [...asked.messages, message, { role: 'tool', tool_name: 'weather', content: 'Sunny' }];
  expect(
    (await ask({ model: 'sandbox-tools', tools: [weather], messages })).message.tool_calls,
  ).toBeUndefined();
});

test('chat returns thinking in addition to the content, unless disabled', async () => {
  const { message, eval_count: count } = await ask({ model: 'sandbox-reasoning' });
  expect(countTokens(message.thinking ?? '')).toBe(24);
  expect(count).toBe(64);
  expect((await ask({ model: 'sandbox-reasoning', think: false })).message).not.toHaveProperty('thinking');
  expect((await ask({ think: 'low' })).message).toHaveProperty('thinking');
});

test('chat returns JSON on request, matching the schema if there is one', async () => {
  expect((await ask({ format: city })).message.content).toBe('{"city":"text"}');
  expect(JSON.parse((await ask({ format: 'json' })).message.content)).toEqual({ answer: expect.any(String) });
});

test('chat detects the type of images without a media type', async () => {
  const { message } = await ask({ messages: [{ role: 'user', content: 'Look', images: [png] }] });
  expect(message.content).toMatch(/^I see image\/png of 8 bytes\.\n/);
});

test('chat omits the count of a fully cached prompt', async () => {
  expect(await ask({ model: 'sandbox-normal:cached_tokens=5' })).toMatchObject({ prompt_eval_count: 7 });
  expect(await ask({ model: 'sandbox-normal:cached_tokens=7' })).not.toHaveProperty('prompt_eval_count');
});

test('chat only loads the model if there are no messages', async () => {
  expect(await ask({ messages: [] })).toMatchObject({
    done: true,
    done_reason: 'load',
    message: { content: '' },
  });
});

test('chat returns a refusal as text, and an empty response for a block', async () => {
  expect((await ask({ model: 'sandbox-refusal' })).message.content).toBe('I cannot help with that.');
  expect((await ask({ model: 'sandbox-blocked' })).message.content).toBe('');
});

test('chat journals the tokens of each line of a stream', async () => {
  sandbox.journal.clear();
  await (await post({ model: 'sandbox-tool:reasoning_tokens=4,cached_tokens=2', tools: [weather] })).text();
  expect(sandbox.journal.entries()).toMatchObject([
    {
      protocol: 'ollama',
      promptTokens: 7,
      cachedTokens: 2,
      completionTokens: 4 + countTokens('{"city":"text"}'),
      reasoningTokens: 4,
      frames: [
        { count: 4, tokensEach: 1 },
        { count: 1, tokensEach: countTokens('{"city":"text"}') },
        { count: 1, tokensEach: 0 },
      ],
    },
  ]);
});

const user = (fields: object) => ({ messages: [{ role: 'user', content: 'Look', ...fields }] });
const called = (args: unknown) => ({
  role: 'assistant',
  tool_calls: [{ function: { name: 'a', arguments: args } }],
});

test('chat ignores unknown fields', async () => {
  const every = {
    template: 'x',
    anything: 1,
    keep_alive: '5m',
    options: { num_ctx: 4_096, mirostat: 1, seed: 7 },
  };
  expect((await post({ ...every, tools: [weather], think: null, format: '' })).status).toBe(200);
});

test.each<[string, object]>([
  ['ChatRequest.model: this field is required', { model: undefined }],
  ['messages[0].content: expected a string', user({ content: [{ type: 'text', text: 'x' }] })],
  ['messages[0].role: expected one of', user({ role: 'developer' })],
  ['images[0]: illegal base64 data', user({ images: [`data:image/png;base64,${png}`] })],
  ['images[0]: illegal base64 data', user({ images: ['https://example.com/a.png'] })],
  ['arguments: expected an object', { messages: [called('{}')] }],
  ['options.stop: expected an array', { options: { stop: 'END' } }],
  ['options.num_predict: expected an integer', { options: { num_predict: '5' } }],
  ['format: expected one of', { format: 'json_schema' }],
  ['think: expected one of', { think: 'some' }],
  ['stream: expected a boolean', { stream: 'true' }],
])('chat rejects with "%s": %j', async (message, change) => {
  const response = await post(change);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: expect.stringContaining(message) });
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
  expect(await response.json()).toEqual({ error: expect.any(String) });
});

test('Ollama endpoints need no key, but reject a wrong key', async () => {
  const response = await postJson(`${sandbox.origin}/api/chat`, asked, { authorization: 'Bearer sk-wrong' });
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({ error: 'unauthorized' });
});

test('embed returns vectors for one or several texts', async () => {
  sandbox.journal.clear();
  const read = async (change: object) =>
    JSON.parse(await (await post({ model: 'sandbox-embedding', ...change }, '/api/embed')).text());
  const many = await read({ input: ['rivers and gates', 'gates'] });
  expect(many).toMatchObject({ model: 'sandbox-embedding', prompt_eval_count: 4 });
  expect(many.embeddings.map((vector: number[]) => vector.length)).toEqual([256, 256]);
  expect((await read({ input: 'gates' })).embeddings).toEqual([many.embeddings[1]]);
  expect((await read({ input: 'gates', dimensions: 8 })).embeddings[0]).toHaveLength(8);
  expect(sandbox.journal.entries()[0]).toMatchObject({
    protocol: 'ollama',
    operation: 'embed',
    promptTokens: 4,
  });
  expect((await post({ input: 'x' }, '/api/embed')).status).toBe(404);
  expect((await post({ model: 'sandbox-embedding' }, '/api/embed')).status).toBe(400);
});

test('the Ollama model list contains every model with its tag, and showModel finds each model', async () => {
  const { models } = JSON.parse(await (await fetch(`${sandbox.origin}/api/tags`)).text());
  const names: string[] = models.map(({ name }: { name: string }) => name);
  expect(names).toEqual(modelNames.map((name) => `${name}:latest`));
  const show = async (model: string) => JSON.parse(await (await post({ model }, '/api/show')).text());
  for (const name of names) expect(await show(name)).toMatchObject({ capabilities: expect.any(Array) });
  expect((await show('sandbox-reasoning')).capabilities).toContain('thinking');
  expect((await show('sandbox-embedding')).capabilities).toEqual(['embedding']);
  expect(await show('nope')).toEqual({ error: expect.stringContaining('nope') });
});

const recorded = readWireCases('ollama').filter(({ request }) => request?.path.startsWith('/api/'));
const answered = recorded.filter(({ response }) => response.status === 200);
describe('Ollama compared with recorded traffic', () => {
  const bodiesOf = (path: string) =>
    answered
      .filter(({ request }) => request?.path === path)
      .flatMap(({ response }) => response.ndjson ?? response.body);

  test.each([
    ['text', {}],
    ['thoughts and a tool', { model: 'sandbox-tool:reasoning_tokens=4', tools: [weather] }],
  ])('Ollama response bodies have the recorded shape: %s', async (_, change) => {
    const whole = await (await post({ ...change, stream: false })).json();
    expect(findDifferences([whole], deriveShapes(bodiesOf('/api/chat')))).toEqual([]);
  });

  test('Ollama stream lines have the recorded shape, with a different last line', async () => {
    const streams = answered.flatMap(({ response }) => (response.ndjson ? [response.ndjson] : []));
    const lines = await readLines(await post({}));
    expect(
      findDifferences(lines.slice(0, -1), deriveShapes(streams.flatMap((stream) => stream.slice(0, -1)))),
    ).toEqual([]);
    expect(
      findDifferences(lines.slice(-1), deriveShapes(streams.flatMap((stream) => stream.slice(-1)))),
    ).toEqual([]);
  });

  test('Ollama vectors and errors have the recorded shape', async () => {
    const embedded = await post({ model: 'sandbox-embedding', input: 'Hello' }, '/api/embed');
    expect(findDifferences([await embedded.json()], deriveShapes(bodiesOf('/api/embed')))).toEqual([]);
    const errors = recorded.flatMap(({ response }) => (response.status === 404 ? [response.body] : []));
    const refused = await post({ model: 'nope' });
    expect(findDifferences([await refused.json()], deriveShapes(errors))).toEqual([]);
  });

  test.each(answered)('chat accepts a request that Ollama accepted: $name', async ({ request }) => {
    const model = request?.path === '/api/embed' ? 'sandbox-embedding' : 'sandbox-normal';
    const response = await postJson(sandbox.origin + request?.path, { ...Object(request?.body), model }, {});
    expect(response.status).toBe(200);
  });
});
