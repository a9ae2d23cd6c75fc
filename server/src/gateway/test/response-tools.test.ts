import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { readError } from '#test/requests/answers.ts';

let provider: ScriptedProvider;
let gateway: TestGateway;
let reader: { apiKey: string };
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    async seed(seed) {
      reader = await seed.addPerson({ name: 'reader', scopes: ['models'] });
      for (const [providerKey, root] of [
        ['openai', '/v1'],
        ['azure_openai', '/openai/v1'],
        ['groq', '/v1'],
        ['anthropic', ''],
      ] as const) {
        const endpoint = `${provider.origin}${root}`;
        await seed.addInstance({ name: providerKey, providerKey, models: ['gpt-x'], endpoint });
      }
      const deployments = `${provider.origin}/openai/deployments`;
      const old = {
        name: 'old azure',
        providerKey: 'azure_openai',
        models: ['gpt-x'],
        endpoint: deployments,
      };
      await seed.addInstance(old);
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});
beforeEach(() => {
  provider.calls.length = 0;
});

const post = (path: string, body: object, apiKey = gateway.apiKey) =>
  fetch(`${gateway.origin}/api/v1/responses/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const rowOf = (answer: Response) => gateway.waitForRow(answer.headers.get('x-request-id') ?? '');
const input = [{ role: 'user', content: 'Hello' }];

describe('compaction', () => {
  const compaction = JSON.stringify({
    id: 'resp_1',
    object: 'response.compaction',
    created_at: 1,
    output: [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'abc' }],
    usage: { input_tokens: 9, output_tokens: 4, total_tokens: 13 },
  });

  it.each([
    ['openai', '/v1/responses/compact'],
    ['azure_openai', '/openai/v1/responses/compact'],
  ])('a compaction reaches %s unchanged, and its usage is recorded', async (name, path) => {
    provider.script = answerWith(200, compaction);
    const body = { input, instructions: 'Be brief', tools: [{ type: 'custom', name: 'run' }] };
    const answer = await post('compact', { model: `${name}/gpt-x`, ...body });
    expect(await answer.text()).toBe(compaction);
    expect(provider.calls.map((call) => call.path)).toEqual([path]);
    expect(JSON.parse(provider.calls[0]?.body.toString() ?? '')).toEqual({ model: 'gpt-x', ...body });
    expect(await rowOf(answer)).toMatchObject({
      status: 'success',
      operation: 'responses.compact',
      protocol: 'openai-responses',
      prompt_tokens: 9,
      completion_tokens: 4,
    });
  });

  it.each(['groq', 'anthropic', 'old azure'])('a compaction by %s is rejected with a 501', async (name) => {
    const answer = await post('compact', { model: `${name}/gpt-x`, input });
    expect(answer.status).toBe(501);
    expect(await readError(answer)).toMatchObject({ code: 'not_supported', param: 'model' });
    expect(provider.calls).toEqual([]);
  });

  it('a streaming compaction request is rejected', async () => {
    const answer = await post('compact', { model: 'openai/gpt-x', input, stream: true });
    expect([answer.status, (await readError(answer)).param]).toEqual([400, 'stream']);
  });

  it('a compaction needs a key with the scope of completions', async () => {
    expect((await post('compact', { model: 'openai/gpt-x', input }, reader.apiKey)).status).toBe(403);
  });
});

describe('token count of the Responses API', () => {
  it("the Responses token count for an OpenAI model is the provider's count", async () => {
    const counted = JSON.stringify({ object: 'response.input_tokens', input_tokens: 11 });
    provider.script = answerWith(200, counted);
    const answer = await post('input_tokens', { model: 'openai/gpt-x', input });
    expect(await answer.text()).toBe(counted);
    expect(provider.calls.map((call) => call.path)).toEqual(['/v1/responses/input_tokens']);
    expect(await rowOf(answer)).toMatchObject({ operation: 'tokens.count', prompt_tokens: 0 });
  });

  it.each(['azure_openai', 'groq', 'anthropic'])(
    'the Responses token count for a model of %s is an estimate',
    async (name) => {
      const answer = await post('input_tokens', { model: `${name}/gpt-x`, input });
      expect(answer.headers.get('x-sluice-warning')).toBe('input_tokens is an estimate');
      expect(await answer.json()).toEqual({
        object: 'response.input_tokens',
        input_tokens: expect.any(Number),
      });
      expect(provider.calls).toEqual([]);
    },
  );
});
