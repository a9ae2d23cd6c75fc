import OpenAI from 'openai';
import type { EmbeddingCreateParams } from 'openai/resources/embeddings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readWireCases } from '../../../server/test/requests/wire-cases.ts';
import { encodeFloats } from '../generation/vectors.ts';
import { type Sandbox, startSandbox } from '../start.ts';
import { readBroken } from '../testing/raw-chat.ts';
import { postJson } from '../testing/raw-http.ts';
import { deriveShapes, findDifferences } from '../testing/shape.ts';

let sandbox: Sandbox;
let client: OpenAI;

beforeAll(async () => {
  sandbox = await startSandbox();
  client = new OpenAI({ baseURL: `${sandbox.origin}/v1`, apiKey: 'sk-test', maxRetries: 0 });
});
afterAll(() => sandbox.close());

const model = 'sandbox-embedding';

const post = (change: object) =>
  postJson(
    `${sandbox.origin}/v1/embeddings`,
    { model, input: 'rivers and gates', ...change },
    { authorization: 'Bearer sk-test' },
  );

test('createEmbeddings returns a vector for every input, in order, and bills it', async () => {
  sandbox.journal.clear();
  const { data, usage } = await client.embeddings.create({ model, input: ['rivers and gates', 'gates'] });
  expect(data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
    [0, 256],
    [1, 256],
  ]);
  expect(usage).toEqual({ prompt_tokens: 4, total_tokens: 4 });
  const alone = await client.embeddings.create({ model, input: 'gates' });
  expect(alone.data[0]?.embedding).toEqual(data[1]?.embedding);
  expect(sandbox.journal.entries()[0]).toMatchObject({
    protocol: 'openai-embeddings',
    operation: 'embed',
    promptTokens: 4,
    completionTokens: 0,
    outcome: 'completed',
  });
});

test('createEmbeddings returns the same numbers as floats and base64', async () => {
  const ask = async (encoding_format: 'float' | 'base64' | null) =>
    JSON.parse(await (await post({ encoding_format })).text()).data[0].embedding;
  const floats = await ask('float');
  expect(await ask('base64')).toBe(encodeFloats(floats));
  expect(await ask(null)).toEqual(floats);
});

test('createEmbeddings supports shorter vectors, and tokens instead of text', async () => {
  const { data, usage } = await client.embeddings.create({ model, input: [1, 2, 3], dimensions: 8 });
  expect(data[0]?.embedding).toHaveLength(8);
  expect(usage.prompt_tokens).toBe(3);
  const both = await client.embeddings.create({ model: `${model}:dimensions=16`, input: [[1], [2, 3]] });
  expect(both.data.map(({ embedding }) => embedding.length)).toEqual([16, 16]);
  expect(both.usage.prompt_tokens).toBe(3);
});

test('createEmbeddings accepts every documented parameter', async () => {
  // The type requires each parameter that the installed client documents, so that no parameter is missing here.
  const every: Record<keyof EmbeddingCreateParams, unknown> = {
    model,
    input: 'rivers',
    dimensions: 8,
    encoding_format: 'float',
    user: 'user-1',
  };
  expect((await post(every)).status).toBe(200);
});

test.each([
  [400, 'input', { input: undefined }],
  [400, 'input', { input: '' }],
  [400, 'input', { input: [] }],
  [400, 'input[1]', { input: ['rivers', ''] }],
  [400, 'input[1]', { input: [1, 'gates'] }],
  [400, 'input', { input: Array(2_049).fill('x') }],
  [400, 'dimensions', { dimensions: 257 }],
  [400, 'dimensions', { dimensions: 0 }],
  [400, 'encoding_format', { encoding_format: 'int8' }],
  [400, 'task_id', { task_id: 5 }],
  [404, null, { model: 'sandbox-normal' }],
  [404, null, { model: 'gpt-4o' }],
])('createEmbeddings rejects with %i and parameter %s (case %#)', async (status, param, change) => {
  const response = await post(change);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param } });
});

test.each([
  ['sandbox-rate-limited', 429],
  ['sandbox-error-500', 500],
  ['sandbox-overloaded', 503],
  ['sandbox-refuse-key', 401],
  ['sandbox-stream-error', 500],
])('createEmbeddings with %s fails with %i, like chat', async (failing, status) => {
  expect((await post({ model: failing })).status).toBe(status);
});

test('createEmbeddings can return a broken, truncated or invalid body', async () => {
  expect((await readBroken(await post({ model: 'sandbox-reset' }))).isWhole).toBe(false);
  await expect((await post({ model: 'sandbox-truncated' })).json()).rejects.toThrow(SyntaxError);
  expect(await (await post({ model: 'sandbox-garbage' })).text()).toContain('<html>');
});

const recorded = readWireCases('openai').filter(({ endpoint }) => endpoint === 'embeddings');
describe('OpenAI embeddings compared with recorded traffic', () => {
  test('OpenAI embeddings responses have the recorded shape', async () => {
    const shapes = deriveShapes(recorded.map(({ response }) => response.body));
    expect(findDifferences([await (await post({})).json()], shapes)).toEqual([]);
  });

  test.each(recorded)(
    'createEmbeddings accepts a request that OpenAI accepted: $name',
    async ({ request }) => {
      expect((await post({ ...Object(request?.body), model })).status).toBe(200);
    },
  );
});
