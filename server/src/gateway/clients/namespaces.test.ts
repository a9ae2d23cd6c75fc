import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import type { TestGateway } from '#test/console/gateway.ts';
import { modelOf, startBeforeEveryProtocol, upstreamProtocols } from '#test/providers/upstream-protocols.ts';

// Only the Responses API has namespaced tools, which Codex sends.

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startBeforeEveryProtocol();
});
afterAll(() => gateway.stop());

const parameters = {
  type: 'object',
  properties: { id: { type: 'string' } },
  required: ['id'],
  additionalProperties: false,
};
const longName = 'get_failed_pipeline_jobs_from_merge_request';
const close = { type: 'function', name: 'close', description: 'Closes.', parameters };
const agents = {
  type: 'namespace',
  name: 'agents',
  description: 'About agents.',
  tools: [close, { type: 'custom', name: 'exec' }],
};
const ci = {
  type: 'namespace',
  name: 'mcp__continuous_integration',
  description: 'About builds.',
  tools: [{ ...close, name: longName }],
};
const plain = { ...close, name: 'close' };
const tools = [plain, agents, ci];
const question = { role: 'user', content: 'Close it.' };
const history = [
  question,
  { type: 'function_call', call_id: 'c1', namespace: 'agents', name: 'close', arguments: '{"id":"a"}' },
  { type: 'function_call_output', call_id: 'c1', output: 'closed' },
  { type: 'function_call', call_id: 'c2', namespace: ci.name, name: longName, arguments: '{"id":"b"}' },
  { type: 'function_call_output', call_id: 'c2', output: 'none' },
  { type: 'function_call', call_id: 'c3', name: 'close', arguments: '{"id":"c"}' },
  { type: 'function_call_output', call_id: 'c3', output: 'closed' },
  { role: 'user', content: 'And now?' },
];

const ask = (model: string, fields: object) =>
  fetch(`${gateway.origin}/api/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: [question], tools, ...fields }),
  });

const answered = z.object({
  output: z.array(
    z.looseObject({ type: z.string(), content: z.array(z.object({ text: z.string() })).optional() }),
  ),
});

async function inspect(protocol: ProtocolId, fields: object): Promise<string> {
  const answer = await ask(modelOf(protocol, 'inspect'), fields);
  const { output } = answered.parse(await answer.json());
  const { body } = z.object({ body: z.string() }).parse(JSON.parse(output[0]?.content?.[0]?.text ?? ''));
  return body;
}

const others = upstreamProtocols.filter((protocol) => protocol !== 'openai-responses');
const longFlatName = /^mcp__continuous_integration__get_failed_pipeline_jobs_[a-zA-Z0-9]{10}$/;

const namesIn = (body: string) => [...body.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name);

describe.each(others)('namespaced tools with provider protocol %s', (protocol) => {
  it('namespaced tools are sent as functions with valid names', async () => {
    const names = namesIn(await inspect(protocol, {}));
    expect(names).toEqual(['close', 'agents__close', 'agents__exec', expect.stringMatching(longFlatName)]);
    expect(names[3]).toHaveLength(64);
  });

  it('namespaced tool calls in the history use the same names', async () => {
    const body = await inspect(protocol, { input: history });
    const long = namesIn(body).find((name) => name && longFlatName.test(name));
    const told = body.split('And now?')[0]?.split('Close it.')[1] ?? '';
    const called = namesIn(told).filter((name, index, all) => name !== all[index - 1]);
    expect(called).toEqual(['agents__close', long, 'close']);
    expect(body).not.toContain('"namespace"');
  });
});

it('a Responses provider receives namespaced tools unchanged', async () => {
  const body = JSON.parse(await inspect('openai-responses', { input: history }));
  expect(body).toMatchObject({ tools, input: history });
});

const streamed = /(?<=^event: response\.(?:output_item\.(?:added|done)|completed)\ndata: ).*/gm;
const event = z.object({ item: z.unknown(), response: z.unknown() }).partial();

describe.each(upstreamProtocols)('namespaced tool call with provider protocol %s', (protocol) => {
  const model = modelOf(protocol, 'call');

  it.each([
    ['close', 'agents'],
    [longName, ci.name],
  ])(
    'a call of the tool %s of the namespace %s is returned as the tool choice requires, whole and streaming',
    async (name, namespace) => {
      const expected = { name, namespace };
      const tool_choice = { type: 'function', ...expected };
      const whole = await ask(model, { tool_choice, tools: tools.slice(1) });
      expect(whole.status).toBe(200);
      const { output } = answered.parse(await whole.json());
      expect(output.at(-1)).toMatchObject({ type: 'function_call', ...expected });
      const stream = await ask(model, { tool_choice, tools: tools.slice(1), stream: true });
      const events = [...(await stream.text()).matchAll(streamed)].map(([data]) =>
        event.parse(JSON.parse(data)),
      );
      const call = { type: 'function_call', ...expected };
      expect(events.flatMap(({ item }) => (item ? [item] : []))).toEqual([
        expect.objectContaining(call),
        expect.objectContaining(call),
      ]);
      expect(events.at(-1)?.response).toMatchObject({ output: [call] });
    },
  );

  it('a call of a tool without a namespace omits the field, even if another tool shares its name', async () => {
    const answer = await ask(model, { tool_choice: { type: 'function', name: 'close' }, tools: [plain, ci] });
    const [call] = answered.parse(await answer.json()).output;
    expect(call).toMatchObject({ type: 'function_call', name: 'close' });
    expect(call).not.toHaveProperty('namespace');
  });

  it('a namespaced tool can be defined by a conversation item', async () => {
    const brought = { type: 'additional_tools', role: 'developer', tools: [agents] };
    const answer = await ask(model, { input: [brought, question], tools: [] });
    const [call] = answered.parse(await answer.json()).output;
    expect(call).toMatchObject({ name: 'close', namespace: 'agents' });
  });
});

describe.each(others)('namespaced custom tool with provider protocol %s', (protocol) => {
  it('a namespaced custom tool is called with its text, whole and streaming', async () => {
    const tool_choice = { type: 'custom', name: 'exec', namespace: 'agents' };
    const fields = { tool_choice, tools: [agents] };
    const call = { type: 'custom_tool_call', name: 'exec', namespace: 'agents', input: expect.any(String) };
    const { output } = answered.parse(await (await ask(modelOf(protocol, 'call'), fields)).json());
    expect(output.at(-1)).toMatchObject(call);
    const text = await (await ask(modelOf(protocol, 'call'), { ...fields, stream: true })).text();
    const events = [...text.matchAll(streamed)].map(([data]) => event.parse(JSON.parse(data)));
    expect(events.at(-1)?.response).toMatchObject({ output: [call] });
  });
});

describe.each(others)('hosted OpenAI tools with provider protocol %s', (protocol) => {
  const hosted = [{ type: 'web_search' }, { type: 'tool_search', execution: 'client' }, { type: 'mcp' }];

  it('hosted OpenAI tools are removed with a warning, along with the tool choice', async () => {
    const fields = { tools: hosted, tool_choice: 'auto', parallel_tool_calls: true };
    const answer = await ask(modelOf(protocol, 'call'), fields);
    expect([answer.status, await answer.json()]).toMatchObject([200, { output: [{ type: 'message' }] }]);
    expect(answer.headers.get('x-sluice-warning')).toBe('tools.web_search, tools.tool_search, tools.mcp');
    expect(await inspect(protocol, fields)).not.toMatch(/tool_choice|toolConfig|parallel|"tools"/);
  });

  it('hosted OpenAI tools are rejected if required by the tool choice', async () => {
    const answer = await ask(modelOf(protocol, 'call'), {
      tools: hosted,
      tool_choice: { type: 'web_search' },
    });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { param: 'tool_choice' } }]);
  });
});
