import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Provider } from '#providers/provider.ts';
import { providers } from '#providers/registry.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerStream,
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

const vendors = Object.entries<Provider>(providers).flatMap(([providerKey, { alsoSpeaks, isBuiltIn }]) => {
  const service = alsoSpeaks?.find(({ protocol }) => protocol === 'openai-responses');
  return service && !isBuiltIn ? [{ providerKey, takesTools: service.takesOpenaiTools === true }] : [];
});
const partial = vendors.filter(({ takesTools }) => !takesTools);
const whole = vendors.filter(({ takesTools }) => takesTools);

let provider: ScriptedProvider;
let gateway: TestGateway;
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    async seed(seed) {
      for (const { providerKey } of vendors) {
        const endpoint = `${provider.origin}${providerKey === 'azure_openai' ? '/openai/v1' : '/v1'}`;
        await seed.addInstance({ name: providerKey, providerKey, models: ['gpt-oss'], endpoint });
      }
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const parameters = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] };
const close = { type: 'function', name: 'close', description: 'Closes.', parameters, strict: false };
const patch = {
  type: 'custom',
  name: 'apply_patch',
  description: 'Applies a patch.',
  format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' },
};
const agents = { type: 'namespace', name: 'agents', description: 'About agents.', tools: [close] };
const search = { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters };
const question = { role: 'user', content: 'Go.' };

const requests: Readonly<Record<string, object>> = {
  'a custom tool': { input: [question], tools: [patch] },
  'a namespace': { input: [question], tools: [agents] },
  'tool search': { input: [question], tools: [close, search] },
  'tools of all kinds': { input: [question], tools: [close, patch, agents, search] },
  'the call of a custom tool': {
    input: [
      question,
      { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: 'a' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'done' },
    ],
    tools: [close],
  },
  'the call of a tool in a namespace': {
    input: [
      question,
      { type: 'function_call', call_id: 'c1', namespace: 'agents', name: 'close', arguments: '{"id":"a"}' },
      { type: 'function_call_output', call_id: 'c1', output: 'closed' },
    ],
    tools: [close],
  },
  'tools found by tool search': {
    input: [
      question,
      { type: 'tool_search_call', call_id: 'c1', execution: 'client', arguments: { id: 'a' } },
      { type: 'tool_search_output', call_id: 'c1', execution: 'client', tools: [agents] },
    ],
    tools: [close],
  },
};

const ask = (providerKey: string, body: object) =>
  fetch(`${gateway.origin}/api/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: `${providerKey}/gpt-oss`, ...body }),
  });

const called = (name: string, text: string) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'gpt-oss',
  output: [{ type: 'function_call', id: 'fc_1', call_id: 'c9', name, arguments: text, status: 'completed' }],
  usage: { input_tokens: 2, output_tokens: 1, total_tokens: 3 },
});
const sent = () => JSON.parse(provider.calls.at(-1)?.body.toString() ?? '');
const typed = z.array(z.object({ type: z.string().optional() }));
const takenItems = new Set([undefined, 'message', 'function_call', 'function_call_output']);

const partialCases = partial.flatMap(({ providerKey }) =>
  Object.entries(requests).map(([name, request]) => ({ providerKey, name, request })),
);
const wholeCases = whole.flatMap(({ providerKey }) =>
  Object.entries(requests).map(([name, request]) => ({ providerKey, name, request })),
);

it('groq, openrouter and xai have a partial Responses API, azure_openai and openai a complete one', () => {
  expect(partial.map(({ providerKey }) => providerKey)).toEqual(
    expect.arrayContaining(['groq', 'openrouter', 'xai']),
  );
  expect(whole.map(({ providerKey }) => providerKey).sort()).toEqual(['azure_openai', 'openai']);
});

describe('vendors with a partial Responses API', () => {
  it.each(partialCases)('$providerKey gets functions in place of $name', async ({ providerKey, request }) => {
    provider.script = answerWith(200, JSON.stringify(called('close', '{}')));
    const answer = await ask(providerKey, request);
    expect(answer.status).toBe(200);
    expect(provider.calls.at(-1)?.path).toBe('/v1/responses');
    const { tools, input } = sent();
    expect(new Set(typed.parse(tools).map(({ type }) => type))).toEqual(new Set(['function']));
    expect(typed.parse(input).filter(({ type }) => !takenItems.has(type))).toEqual([]);
    expect(JSON.stringify(input)).not.toContain('"namespace"');
  });

  it.each(partial)(
    "calls of $providerKey are returned as calls of the caller's own tools",
    async ({ providerKey }) => {
      const request = requests['tools of all kinds'] ?? {};
      for (const [name, text, expected] of [
        ['apply_patch', '{"input":"a"}', { type: 'custom_tool_call', name: 'apply_patch', input: 'a' }],
        ['agents__close', '{"id":"a"}', { type: 'function_call', name: 'close', namespace: 'agents' }],
      ] as const) {
        const response = called(name, text);
        provider.script = answerWith(200, JSON.stringify(response));
        expect(await (await ask(providerKey, request)).json()).toMatchObject({ output: [expected] });
        const event = { type: 'response.completed', sequence_number: 1, response };
        provider.script = answerStream(`event: response.completed\ndata: ${JSON.stringify(event)}\n\n`);
        const events = await (await ask(providerKey, { ...request, stream: true })).text();
        const last = events.trim().split('\n').at(-1) ?? '';
        expect(JSON.parse(last.slice('data: '.length))).toMatchObject({
          type: 'response.completed',
          response: { output: [expected] },
        });
      }
    },
  );

  it.each(partial)('plain functions pass unchanged to $providerKey', async ({ providerKey }) => {
    provider.script = answerWith(200, JSON.stringify(called('close', '{}')));
    const body = { model: 'gpt-oss', input: [question], tools: [close], own_field: 1 };
    await ask(providerKey, { ...body, model: `${providerKey}/gpt-oss` });
    expect(sent()).toEqual(body);
  });
});

it.each(wholeCases)('$providerKey gets $name unchanged', async ({ providerKey, request }) => {
  provider.script = answerWith(200, JSON.stringify(called('close', '{}')));
  expect((await ask(providerKey, request)).status).toBe(200);
  expect(sent()).toEqual({ model: 'gpt-oss', ...request });
});
