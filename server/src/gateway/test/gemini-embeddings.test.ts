import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

let provider: ScriptedProvider;
let gateway: TestGateway;
let talker: { apiKey: string };
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    async seed(seed) {
      talker = await seed.addPerson({ name: 'talker', scopes: ['completions'] });
      const models = ['embed'];
      await seed.addInstance({ name: 'google', providerKey: 'google', models, endpoint: provider.origin });
      await seed.addInstance({ name: 'other', models, endpoint: `${provider.origin}/v1` });
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

const content = (text: string) => ({ parts: [{ text }] });
const post = (path: string, body: object, apiKey = gateway.apiKey) =>
  fetch(`${gateway.origin}${path}`, {
    method: 'POST',
    headers: { 'x-goog-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
const sent = () => JSON.parse(provider.calls.at(-1)?.body.toString() ?? '');
const rowOf = (answer: Response) => gateway.waitForRow(answer.headers.get('x-request-id') ?? '');

describe.each(['/api/v1', '/api/v1beta'])('embeddings of Google below %s', (root) => {
  it('embedContent reaches Google with its fields and returns one embedding', async () => {
    provider.script = answerWith(200, JSON.stringify({ embeddings: [{ values: [1, 2] }] }));
    const body = {
      content: content('Hello'),
      taskType: 'RETRIEVAL_QUERY',
      output_dimensionality: 2,
      task_id: null,
    };
    const answer = await post(`${root}/models/google%2Fembed:embedContent`, body);
    expect(await answer.json()).toEqual({ embedding: { values: [1, 2] } });
    expect(provider.calls.at(-1)?.path).toBe('/v1beta/models/embed:batchEmbedContents');
    expect(sent()).toEqual({
      requests: [
        {
          model: 'models/embed',
          content: content('Hello'),
          taskType: 'RETRIEVAL_QUERY',
          output_dimensionality: 2,
        },
      ],
    });
    expect(await rowOf(answer)).toMatchObject({
      status: 'success',
      operation: 'embeddings',
      protocol: 'gemini',
      prompt_tokens: 2,
      completion_tokens: 0,
      usage_source: 'estimated',
    });
  });

  it('batchEmbedContents of another vendor is translated both ways', async () => {
    const data = [[1], [2]].map((embedding, index) => ({ object: 'embedding', index, embedding }));
    provider.script = answerWith(200, JSON.stringify({ data, usage: { prompt_tokens: 7, total_tokens: 7 } }));
    const requests = ['a', 'b'].map((text) => ({
      model: 'models/x',
      content: content(text),
      outputDimensionality: 1,
    }));
    const answer = await post(`${root}/models/other%2Fembed:batchEmbedContents`, { requests });
    expect(await answer.json()).toEqual({
      embeddings: [{ values: [1] }, { values: [2] }],
      usageMetadata: { promptTokenCount: 7 },
    });
    expect(provider.calls.at(-1)?.path).toBe('/v1/embeddings');
    expect(sent()).toMatchObject({ model: 'embed', input: ['a', 'b'], dimensions: 1 });
    expect(await rowOf(answer)).toMatchObject({ prompt_tokens: 7, usage_source: 'provider' });
  });

  it.each([
    ['content', ':embedContent', {}],
    ['content.parts', ':embedContent', { content: { parts: [] } }],
    ['content.parts[0].text', ':embedContent', { content: { parts: [{ inlineData: { data: '' } }] } }],
    ['requests', ':batchEmbedContents', { requests: [] }],
    ['requests[0].content', ':batchEmbedContents', { requests: [{}] }],
    ['outputDimensionality', ':embedContent', { content: content('a'), outputDimensionality: 0 }],
  ])('an invalid %s of %s is rejected', async (field, action, body) => {
    const answer = await post(`${root}/models/google%2Fembed${action}`, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { status: 'INVALID_ARGUMENT', details: [{}, { fieldViolations: [{ field }] }] },
    });
    expect(provider.calls).toEqual([]);
  });

  it('embedContent needs a key with the scope of embeddings', async () => {
    const answer = await post(
      `${root}/models/google%2Fembed:embedContent`,
      { content: content('a') },
      talker.apiKey,
    );
    expect(answer.status).toBe(403);
  });
});
