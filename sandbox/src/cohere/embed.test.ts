import { afterAll, beforeAll, expect, test } from 'vitest';
import { encodeFloats } from '../generation/vectors.ts';
import { type Sandbox, startSandbox } from '../start.ts';
import { postJson } from '../testing/raw-http.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const asked = {
  model: 'sandbox-embedding',
  input_type: 'search_document',
  embedding_types: ['float'],
  texts: ['rivers and gates', 'gates'],
};
const picture = 'data:image/png;base64,iVBORw0KGgo=';

const post = (change: object) =>
  postJson(`${sandbox.origin}/v2/embed`, { ...asked, ...change }, { authorization: 'Bearer sk-test' });
const ask = async (change: object = {}) => JSON.parse(await (await post(change)).text());

test('embed returns a vector for every text, in order, and bills it', async () => {
  sandbox.journal.clear();
  const { embeddings, ...rest } = await ask();
  expect(rest).toEqual({
    id: expect.any(String),
    texts: asked.texts,
    meta: { api_version: { version: '2' }, billed_units: { input_tokens: 4 } },
    response_type: 'embeddings_by_type',
  });
  expect(embeddings.float.map((vector: number[]) => vector.length)).toEqual([256, 256]);
  expect((await ask({ texts: ['gates'] })).embeddings.float[0]).toEqual(embeddings.float[1]);
  expect(sandbox.journal.entries()[0]).toMatchObject({
    protocol: 'cohere',
    operation: 'embed',
    promptTokens: 4,
  });
});

test('embed returns the same vector in every numeric type', async () => {
  const embedding_types = ['float', 'int8', 'uint8', 'binary', 'ubinary', 'base64'];
  const { embeddings } = await ask({ embedding_types, texts: ['rivers'] });
  expect(Object.keys(embeddings)).toEqual(embedding_types);
  const [float] = embeddings.float;
  expect(embeddings.base64).toEqual([encodeFloats(float)]);
  expect(embeddings.int8[0]).toEqual(embeddings.uint8[0].map((value: number) => value - 128));
  expect(embeddings.ubinary[0]).toHaveLength(32);
  expect(embeddings.ubinary[0][0] >> 7).toBe(float[0] > 0 ? 1 : 0);
  expect(embeddings.binary[0]).toEqual(embeddings.ubinary[0].map((value: number) => value - 128));
});

test('embed returns a vector of the requested length for an image, and bills images and mixed input', async () => {
  const images = { texts: undefined, images: [picture], output_dimension: 512 };
  const { embeddings, meta } = await ask({ ...images, input_type: 'image' });
  expect(embeddings.float[0]).toHaveLength(512);
  expect(meta.billed_units.input_tokens).toBe(85);
  const content = [
    { type: 'text', text: 'Look' },
    { type: 'image_url', image_url: { url: picture } },
  ];
  expect((await ask({ texts: undefined, inputs: [{ content }] })).meta.billed_units.input_tokens).toBe(86);
});

test.each<[string, object]>([
  ['input_type: this field is required', { input_type: undefined }],
  ['embedding_types: this field is required', { embedding_types: undefined }],
  ['exactly one of texts', { texts: undefined }],
  ['exactly one of texts', { images: [picture] }],
  ['texts: at most 96', { texts: Array(97).fill('x') }],
  ['input: unknown parameter', { input: 'x' }],
  ['embedding_types[0]: expected one of', { embedding_types: ['float16'] }],
])('embed rejects with "%s" (case %#)', async (message, change) => {
  const response = await post(change);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ message: expect.stringContaining(message) });
});

test.each([
  ['sandbox-normal', 404],
  ['sandbox-rate-limited', 429],
  ['sandbox-error-500', 500],
])('embed with %s fails with %i, like chat', async (model, status) => {
  expect((await post({ model })).status).toBe(status);
});
