import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import { protocols } from '#protocols/registry.ts';
import type { TestGateway } from '#test/console/gateway.ts';
import { replayStream } from '#test/providers/replay-stream.ts';
import { modelOf, startBeforeEveryProtocol, upstreamProtocols } from '#test/providers/upstream-protocols.ts';
import { toolResult } from '#test/requests/client-suite.ts';
import { collectAnswer } from '#test/requests/through-callers.ts';

/**
 * First request of a coding tool as recorded, except for the model, key and prompt. `continued` contains the messages
 * that the next request adds after the tool calls, and the tools if they have changed.
 */
const fixture = z.object({
  version: z.string(),
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.unknown()),
  continued: z.record(z.string(), z.array(z.unknown())).optional(),
});
type Fixture = z.infer<typeof fixture>;
type Body = Fixture['body'];

const folder = new URL('./coding-tools/', import.meta.url);
const fixtures = readdirSync(folder).map((file) => ({
  name: file.replace('.json', ''),
  ...fixture.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))),
}));

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startBeforeEveryProtocol();
});
afterAll(() => gateway.stop());

const post = (path: string, { headers }: Fixture, model: string, body: Body) =>
  fetch(`${gateway.origin}${path.replace('{model}', model)}`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(path.includes('{model}') ? body : { ...body, model }),
  });

interface Dialect {
  readonly id: ProtocolId;
  readonly end: RegExp;
  replyTo(body: Body, stream: string): Body;
}

const item = z.looseObject({ type: z.string(), call_id: z.string().optional() });
const outputs: Readonly<Record<string, string>> = {
  function_call: 'function_call_output',
  custom_tool_call: 'custom_tool_call_output',
};

const responses: Dialect = {
  id: 'openai-responses',
  end: /"type":"response\.completed".*\n\n$/,
  replyTo(body, stream) {
    const [last = ''] = stream.match(/(?<=\ndata: ).*"type":"response\.completed".*/) ?? [];
    const { response } = z.object({ response: z.object({ output: z.array(item) }) }).parse(JSON.parse(last));
    const results = response.output.flatMap(({ type, call_id }) =>
      type in outputs ? [{ type: outputs[type], call_id, output: toolResult }] : [],
    );
    return { ...body, input: [...z.array(z.unknown()).parse(body.input), ...response.output, ...results] };
  },
};

const messages: Dialect = {
  id: 'anthropic-messages',
  end: /"type":"message_stop"\}\n\n$/,
  replyTo(body, stream) {
    const { content } = z
      .object({ content: z.array(z.looseObject({ type: z.string(), id: z.string().optional() })) })
      .parse(readWhole('anthropic-messages', stream));
    const results = content.flatMap(({ type, id }) =>
      type === 'tool_use' ? [{ type: 'tool_result', tool_use_id: id, content: toolResult }] : [],
    );
    return append(body, [
      { role: 'assistant', content },
      { role: 'user', content: results },
    ]);
  },
};

const completions: Dialect = {
  id: 'openai-chat',
  end: /data: \[DONE\]\n\n$/,
  replyTo(body, stream) {
    const { choices } = z
      .object({
        choices: z.array(
          z.object({ message: z.looseObject({ tool_calls: z.array(z.object({ id: z.string() }).loose()) }) }),
        ),
      })
      .parse(readWhole('openai-chat', stream));
    const results = choices.flatMap(({ message }) => [
      message,
      ...message.tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: toolResult })),
    ]);
    return append(body, results);
  },
};

const generateContent: Dialect = {
  id: 'gemini',
  end: /"finishReason":"STOP".*\r?\n\r?\n$/s,
  replyTo(body, stream) {
    const pieces = [...stream.matchAll(/(?<=^data: ).*/gm)].flatMap(
      ([data]) => geminiChunk.parse(JSON.parse(data)).candidates,
    );
    const parts = pieces.flatMap(({ content }) => content?.parts ?? []);
    const results = parts.flatMap(({ functionCall: call }) =>
      call ? [{ functionResponse: { id: call.id, name: call.name, response: { output: toolResult } } }] : [],
    );
    const said = [
      { role: 'model', parts },
      { role: 'user', parts: results },
    ];
    return { ...body, contents: [...z.array(z.unknown()).parse(body.contents), ...said] };
  },
};

const geminiPart = z.looseObject({
  functionCall: z.looseObject({ id: z.string().optional(), name: z.string() }).optional(),
});
const geminiChunk = z.object({
  candidates: z.array(z.object({ content: z.object({ parts: z.array(geminiPart).optional() }).optional() })),
});

const append = (body: Body, more: readonly object[]): Body => ({
  ...body,
  messages: [...z.array(z.unknown()).parse(body.messages), ...more],
});

const dialectOf = ({ path }: Fixture) =>
  [responses, messages, generateContent].find(({ id }) => path.includes(placeOf[id] ?? '?')) ?? completions;

const placeOf: Partial<Record<ProtocolId, string>> = {
  'openai-responses': '/responses',
  'anthropic-messages': '/messages',
  gemini: 'enerateContent',
};

function readWhole(id: 'openai-chat' | 'anthropic-messages', stream: string): object {
  const { caller, provider } = protocols[id];
  const answer = collectAnswer(replayStream(provider, Buffer.from(stream)));
  return caller.encodeResponse(answer, { requestId: 'r1', model: 'm', nowSeconds: 1, wantsUsage: true });
}

function readAnswer({ id }: Dialect, stream: string) {
  const { choices, usage } = collectAnswer(replayStream(protocols[id].provider, Buffer.from(stream)));
  const parts = choices[0]?.parts ?? [];
  return {
    calls: parts.flatMap((part) => (part.type === 'tool-call' ? [part] : [])),
    text: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
    reason: choices[0]?.finish.reason,
    usage,
  };
}

const cannotForbidMore: readonly ProtocolId[] = ['gemini', 'cohere', 'ollama'];

function listHostedTools({ body }: Fixture): string[] {
  return z
    .array(hostedTool)
    .catch([])
    .parse(body.tools)
    .filter((kind) => kind !== '');
}

const ownKinds = /^(function|custom|namespace|functionDeclarations)$/;
const hostedTool = z.looseObject({ type: z.string().optional() }).transform(({ type, ...tool }) => {
  const kind = type ?? Object.keys(tool).find((name) => name.startsWith('google')) ?? 'function';
  return ownKinds.test(kind) ? '' : `tools.${kind}`;
});

const warningsOf = (answer: Response) => answer.headers.get('x-sluice-warning')?.split(', ') ?? [];

const ofOwnTools = fixtures.filter(({ continued }) => continued);

describe.each(ofOwnTools)('requests of $name', (tool) => {
  const dialect = dialectOf(tool);

  it.each(upstreamProtocols)(
    'a coding tool completes a loop of tool calls and a response with provider protocol %s',
    async (protocol) => {
      const model = modelOf(protocol, 'call-two');
      const asked = await post(tool.path, tool, model, tool.body);
      const calling = await asked.text();
      expect([asked.status, calling]).toEqual([200, expect.stringMatching(dialect.end)]);
      const called = readAnswer(dialect, calling);
      expect(called).toMatchObject({ reason: 'tool-calls', usage: { inputTokens: expect.any(Number) } });
      const isOne = tool.body.parallel_tool_calls === false;
      const isTold = isOne && cannotForbidMore.includes(protocol);
      const hosted = protocol === dialect.id ? [] : listHostedTools(tool);
      expect(warningsOf(asked)).toEqual(expect.arrayContaining(hosted));
      expect(warningsOf(asked).includes('parallel_tool_calls')).toBe(isTold);
      expect(called.calls).toHaveLength(isOne && !isTold ? 1 : 2);
      const again = await post(tool.path, tool, model, dialect.replyTo(tool.body, calling));
      const answering = await again.text();
      expect([again.status, answering]).toEqual([200, expect.stringMatching(dialect.end)]);
      const answered = readAnswer(dialect, answering);
      expect(answered).toMatchObject({ text: expect.stringMatching(/^\w.{20,}/), reason: 'stop', calls: [] });
    },
  );

  it.each(upstreamProtocols)(
    'a coding tool continues a recorded conversation with provider protocol %s',
    async (protocol) => {
      const { tools, ...more } = tool.continued ?? {};
      const said = Object.entries(more).map(([name, added]) => [
        name,
        [...z.array(z.unknown()).parse(tool.body[name]), ...added],
      ]);
      const body: Body = { ...tool.body, ...Object.fromEntries(said), ...(tools && { tools }) };
      const answer = await post(tool.path, tool, modelOf(protocol, 'talk'), body);
      const stream = await answer.text();
      expect([answer.status, stream]).toEqual([200, expect.stringMatching(dialect.end)]);
      expect(readAnswer(dialect, stream)).toMatchObject({
        text: expect.stringMatching(/^\w.{20,}/),
        calls: [],
      });
    },
  );
});

describe.each(fixtures.filter(({ continued }) => !continued))('web search requests of $name', (tool) => {
  it.each(upstreamProtocols)(
    'a coding tool that offers web search gets a response over provider protocol %s, with a warning if the protocol is not its own',
    async (protocol) => {
      const answer = await post(tool.path, tool, modelOf(protocol, 'call-two'), tool.body);
      const isOwn = protocol === dialectOf(tool).id;
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('usage')]);
      expect(warningsOf(answer)).toEqual(isOwn ? [] : expect.arrayContaining(listHostedTools(tool)));
      expect(listHostedTools(tool)).toHaveLength(1);
    },
  );
});

describe('other requests of Claude Code', () => {
  const tool = fixtures.find(({ name }) => name === 'claude-code')!;

  it.each(upstreamProtocols)(
    'Claude Code can count tokens before using provider protocol %s',
    async (protocol) => {
      const { messages: said, tools } = tool.body;
      const path = '/api/v1/messages/count_tokens?beta=true';
      const answer = await post(path, tool, modelOf(protocol, 'call-two'), { messages: said, tools });
      expect([answer.status, await answer.json()]).toEqual([200, { input_tokens: expect.any(Number) }]);
    },
  );

  it.each(upstreamProtocols)(
    'Claude Code can check its access with provider protocol %s',
    async (protocol) => {
      const body = {
        max_tokens: 1,
        messages: [{ role: 'user', content: 'quota' }],
        metadata: tool.body.metadata,
      };
      const answer = await post(tool.path, tool, modelOf(protocol, 'talk'), body);
      expect([answer.status, await answer.json()]).toMatchObject([200, { type: 'message' }]);
    },
  );

  it('Claude Code can authenticate with its own key header', async () => {
    const headers = { ...tool.headers, 'x-api-key': gateway.apiKey, 'content-type': 'application/json' };
    const answer = await fetch(`${gateway.origin}${tool.path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ ...tool.body, model: modelOf('openai-chat', 'call') }),
    });
    expect(answer.status).toBe(200);
    await answer.text();
  });
});
