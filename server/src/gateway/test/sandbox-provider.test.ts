import { afterAll, beforeAll, expect, it } from 'vitest';
import { hello, startGateway, type TestGateway } from '#test/console/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const model = 'sandbox-normal';
const contents = [{ role: 'user', parts: [{ text: 'Hello' }] }];

it.each<[path: string, body: object, protocol: string, found: string]>([
  ['/api/v1/chat/completions', { model, messages: hello }, 'openai-chat', 'chat.completion'],
  ['/api/v1/responses', { model, input: 'Hello' }, 'openai-responses', 'output_text'],
  ['/api/v1/messages', { model, messages: hello, max_tokens: 50 }, 'anthropic-messages', 'end_turn'],
  [`/api/v1/models/${model}:generateContent`, { contents }, 'gemini', 'STOP'],
  [`/api/v1beta/models/${model}:generateContent`, { contents }, 'gemini', 'STOP'],
  ['/api/v1/embeddings', { model: 'sandbox-embedding', input: 'Hello' }, 'openai-chat', 'embedding'],
])(
  'the built-in provider serves %s with its own usage and without a warning',
  async (path, body, protocol, found) => {
    const answer = await fetch(gateway.origin + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(found)]);
    const requestId = answer.headers.get('x-request-id') ?? '';
    expect(await gateway.waitForRow(requestId)).toMatchObject({
      status: 'success',
      protocol,
      provider_key: 'sandbox',
      usage_source: 'provider',
    });
    // Nothing is removed within one protocol, so there is no warning.
    expect(answer.headers.get('x-sluice-warning')).toBeNull();
  },
);

it('the built-in provider returns its own token count in the protocols of Anthropic and Gemini', async () => {
  for (const [path, body, field] of [
    ['/api/v1/messages/count_tokens', { model, messages: hello }, 'input_tokens'],
    [`/api/v1beta/models/${model}:countTokens`, { contents }, 'totalTokens'],
  ] as const) {
    const answer = await fetch(gateway.origin + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([path, answer.status, answer.headers.get('x-sluice-warning')]).toEqual([path, 200, null]);
    expect(await answer.json()).toHaveProperty(field);
  }
});
