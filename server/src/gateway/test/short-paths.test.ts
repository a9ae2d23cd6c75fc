import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';

let gateway: TestGateway;
let closed: TestGateway;

beforeAll(async () => {
  [gateway, closed] = await Promise.all([startGateway(), startGateway({ env: { SLUICE_SHORT_PATHS: '0' } })]);
});
afterAll(() => Promise.all([gateway.stop(), closed.stop()]));

const body = { model: 'sandbox-normal', messages: [{ role: 'user' as const, content: 'Name a river' }] };

it.each(['/v1', '', '/api/v1'])("OpenAI's client gets a response at the root %j", async (root) => {
  const client = new OpenAI({ apiKey: gateway.apiKey, baseURL: gateway.origin + root });
  const { data, response } = await client.chat.completions.create(body).withResponse();
  expect(data.choices[0]?.message.content).toBeTruthy();
  const isShort = root !== '/api/v1';
  const cost = response.headers.get('x-sluice-cost');
  expect(cost).toBeTruthy();
  expect(response.headers.get('x-litellm-response-cost')).toBe(isShort ? cost : null);
});

it("a request to another gateway's path has one row like any other request", async () => {
  const answer = await fetch(`${gateway.origin}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-embedding', input: 'a river' }),
  });
  expect(answer.status).toBe(200);
  await expect(gateway.waitForRow(answer.headers.get('x-request-id') ?? '')).resolves.toMatchObject({
    status: 'success',
  });
});

it('SLUICE_SHORT_PATHS=0 turns the paths of other gateways off', async () => {
  for (const path of ['/v1/chat/completions', '/chat/completions']) {
    const answer = await fetch(closed.origin + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${closed.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(501);
    expect(await answer.text()).toContain('/api/v1/chat/completions');
  }
});
