import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerCompletion,
  answerStream,
  answerWith,
  responseText,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

let provider: ScriptedProvider;
let gateway: TestGateway;
let client: OpenAI;
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    async seed(seed) {
      const endpoint = `${provider.origin}/v1`;
      await seed.addInstance({ name: 'lab', models: ['sandbox-normal:tokens=30,interval_ms=2'] });
      await seed.addInstance({ name: 'openai', providerKey: 'openai', models: ['gpt-x'], endpoint });
      await seed.addInstance({ name: 'plain', models: ['chat-only'], endpoint });
    },
  });
  client = new OpenAI({ apiKey: gateway.apiKey, baseURL: `${gateway.origin}/api/v1`, maxRetries: 0 });
});
beforeEach(() => {
  provider.calls.length = 0;
  provider.script = answerWith(200, responseText);
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const input = 'Write about rivers';
const model = 'sandbox-normal:tokens=30,interval_ms=2';

describe('OpenAI client with the Responses API', () => {
  it('OpenAI client gets a response from a provider that has only chat completions', async () => {
    provider.script = answerCompletion();
    const response = await client.responses.create({ model: 'chat-only', input });
    expect(response.output_text).toBe('Hello');
    expect(provider.calls.map(({ path }) => path)).toEqual(['/v1/chat/completions']);
  });

  it('OpenAI client streams the same response text as in a whole response', async () => {
    const whole = await client.responses.create({ model, input });
    const streamed = await client.responses.stream({ model, input }).finalResponse();
    expect(streamed.output_text).toBe(whole.output_text);
    expect(streamed.usage?.output_tokens).toBe(30);
  });

  it('OpenAI client reaches a Responses provider with its own fields', async () => {
    const request = {
      model: 'gpt-x',
      input,
      store: false,
      include: ['reasoning.encrypted_content' as const],
    };
    const response = await client.responses.create(request);
    expect(response.output_text).toBe('Hello');
    const [call] = provider.calls;
    expect(call?.path).toBe('/v1/responses');
    expect(JSON.parse(call?.body.toString() ?? '')).toEqual(request);
  });

  it('OpenAI client gets a Responses stream unchanged, and the row has its usage', async () => {
    const response = JSON.parse(responseText);
    const bytes = [
      {
        type: 'response.created',
        sequence_number: 0,
        response: { ...response, status: 'in_progress', output: [] },
      },
      {
        type: 'response.output_item.added',
        sequence_number: 1,
        output_index: 0,
        item: { ...response.output[0], content: [] },
      },
      {
        type: 'response.output_text.delta',
        sequence_number: 2,
        output_index: 0,
        content_index: 0,
        item_id: 'msg_1',
        delta: 'Hello',
      },
      { type: 'response.output_item.done', sequence_number: 3, output_index: 0, item: response.output[0] },
      { type: 'response.completed', sequence_number: 4, response },
    ]
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join('');
    provider.script = answerStream(bytes);
    const answer = await fetch(`${gateway.origin}/api/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-x', input, stream: true }),
    });
    expect(await answer.text()).toBe(bytes);
    expect(await gateway.waitForRow(answer.headers.get('x-request-id') ?? '')).toMatchObject({
      status: 'success',
      protocol: 'openai-responses',
      prompt: input,
      response: 'Hello',
      prompt_tokens: 2,
      completion_tokens: 1,
    });
  });

  it.each([
    ['an unknown model', { model: 'nobody', input }, 404, 'model_not_found', 'model'],
    [
      'a background request',
      { model: 'gpt-x', input, background: true },
      400,
      'invalid_request',
      'background',
    ],
    [
      'a previous response that only the provider stores',
      { model: 'chat-only', input, previous_response_id: 'r' },
      400,
      'invalid_request',
      'previous_response_id',
    ],
  ])('OpenAI Responses client reads the error for %s', async (_, body, status, code, param) => {
    const error = await client.responses.create(body).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(APIError);
    expect(error).toMatchObject({ status, code, param });
    expect(provider.calls).toEqual([]);
  });
});
