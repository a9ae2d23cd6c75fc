import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { modelNames } from '../models/catalogue.ts';
import { type Sandbox, startSandbox } from '../start.ts';
import { postChat } from '../testing/raw-chat.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

function clientWith(apiKey: string) {
  return new OpenAI({ baseURL: `${sandbox.origin}/v1`, apiKey, maxRetries: 0 });
}

test('OpenAI endpoints accept any key except keys that start with sk-wrong', async () => {
  await expect(clientWith('anything').models.list()).resolves.toBeTruthy();
  const error = await clientWith('sk-wrong-1')
    .models.list()
    .catch((reason) => reason);
  expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
  expect(error).toMatchObject({ code: 'invalid_api_key', type: 'invalid_request_error', param: null });
});

test.each(['', 'Bearer', 'Basic abc'])(
  'OpenAI endpoints reject requests without a bearer key: "%s"',
  async (authorization) => {
    const response = await postChat(
      sandbox.origin,
      { model: 'sandbox-normal' },
      { headers: { authorization } },
    );
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', code: null } });
  },
);

test('the OpenAI model list contains every model, and each model can be retrieved, also with settings', async () => {
  const { models } = clientWith('sk-test');
  const { data } = await models.list();
  expect(data.map(({ id }) => id)).toContain('sandbox-normal');
  expect(data).toHaveLength(modelNames.length);
  for (const { id } of data) expect(await models.retrieve(id)).toMatchObject({ id, object: 'model' });
  expect(await models.retrieve('sandbox-slow:tokens=5')).toMatchObject({ id: 'sandbox-slow:tokens=5' });
  await expect(models.retrieve('gpt-4o')).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
});

test.each([
  ['GET', '/v1/chat/completions'],
  ['POST', '/v1/models'],
  ['POST', '/v1/moderations'],
  ['GET', '/v1/models/%E0%A4%A'],
  ['GET', '/'],
])('OpenAI endpoints return 404 for %s %s', async (method, path) => {
  const response = await fetch(sandbox.origin + path, {
    method,
    headers: { authorization: 'Bearer sk-test' },
  });
  expect(response.status).toBe(404);
});

test('OpenAI endpoints reject a body of 33 MiB with 413', async () => {
  const content = 'x'.repeat(33 * 1024 * 1024);
  const response = await postChat(sandbox.origin, {
    model: 'sandbox-normal',
    messages: [{ role: 'user', content }],
  });
  expect(response.status).toBe(413);
});

test.each(['', '{"model":', '[]', 'null'])(
  'OpenAI endpoints reject a body that is not a JSON object: %s',
  async (body) => {
    const response = await fetch(`${sandbox.origin}/v1/chat/completions`, {
      method: 'POST',
      body,
      headers: { authorization: 'Bearer sk-test' },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param: null } });
  },
);

test('OpenAI endpoints accept URLs with and without the vendor prefix', async () => {
  await expect(
    new OpenAI({ baseURL: `${sandbox.origin}/openai/v1`, apiKey: 'sk-test' }).models.list(),
  ).resolves.toMatchObject({ data: expect.arrayContaining([expect.objectContaining({ object: 'model' })]) });
});

test('OpenAI endpoints do not journal a rejected request', async () => {
  sandbox.journal.clear();
  await postChat(sandbox.origin, { model: 'sandbox-normal', task_id: 5 });
  await postChat(sandbox.origin, { model: 'gpt-4o' });
  await postChat(
    sandbox.origin,
    { model: 'sandbox-normal' },
    { headers: { authorization: 'Bearer sk-wrong' } },
  );
  expect(sandbox.journal.entries()).toEqual([]);
});
