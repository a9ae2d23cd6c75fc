import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ProtocolId } from '#protocols/canonical/content.ts';
import { protocols } from '#protocols/registry.ts';
import { toolResult } from '../../../test/client-suite.ts';
import type { TestGateway } from '../../../test/gateway.ts';
import { replayStream } from '../../../test/replay-stream.ts';
import { collectAnswer } from '../../../test/through-callers.ts';
import { modelOf, startBeforeEveryProtocol, upstreamProtocols } from '../../../test/upstream-protocols.ts';

/** What a coding tool sends first, but for the model and its key. */
const fixture = z.object({
  path: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.unknown()),
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

const post = (path: string, { headers }: Fixture, body: Body) =>
  fetch(`${gateway.origin}${path}`, {
    method: 'POST',
    headers: { ...headers, ...sign(headers), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** By the header that the tool has of its own, else as most do. */
function sign(headers: Fixture['headers']): Record<string, string> {
  if ('api-key' in headers) return { 'api-key': gateway.apiKey };
  return { authorization: `Bearer ${gateway.apiKey}` };
}

/** A dialect: how its streams end, and what a tool of it sends once it has run the calls of an answer. */
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

const append = (body: Body, more: readonly object[]): Body => ({
  ...body,
  messages: [...z.array(z.unknown()).parse(body.messages), ...more],
});

const dialectOf = ({ path }: Fixture) =>
  path.endsWith('responses') ? responses : path.includes('messages') ? messages : completions;

/** The whole answer that a stream amounts to, in the same protocol. */
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

/** Protocols that know no way to ask for one call at a time. */
const cannotForbidMore: readonly ProtocolId[] = ['gemini', 'cohere', 'ollama'];

describe.each(fixtures)('what $name sends', (tool) => {
  const dialect = dialectOf(tool);

  it.each(upstreamProtocols)('is a loop of calls and an answer at an upstream of %s', async (protocol) => {
    const body: Body = { ...tool.body, model: modelOf(protocol, 'call-two') };
    const asked = await post(tool.path, tool, body);
    const calling = await asked.text();
    expect([asked.status, calling]).toEqual([200, expect.stringMatching(dialect.end)]);
    const called = readAnswer(dialect, calling);
    expect(called).toMatchObject({ reason: 'tool-calls', usage: { inputTokens: expect.any(Number) } });
    const isOne = body.parallel_tool_calls === false;
    const isTold = isOne && cannotForbidMore.includes(protocol);
    expect(asked.headers.get('x-sluice-warning') ?? '').toMatch(
      isTold ? /parallel_tool_calls/ : /^(?!.*parallel)/,
    );
    expect(called.calls).toHaveLength(isOne && !isTold ? 1 : 2);
    const again = await post(tool.path, tool, dialect.replyTo(body, calling));
    const answering = await again.text();
    expect([again.status, answering]).toEqual([200, expect.stringMatching(dialect.end)]);
    const answered = readAnswer(dialect, answering);
    expect(answered).toMatchObject({ text: expect.stringMatching(/^\w.{20,}/), reason: 'stop', calls: [] });
  });
});

describe('what Claude Code asks beside', () => {
  const tool = fixtures.find(({ name }) => name === 'claude-code')!;

  it.each(upstreamProtocols)('its count of tokens is answered before an upstream of %s', async (protocol) => {
    const { messages: said, tools } = tool.body;
    const body = { model: modelOf(protocol, 'call-two'), messages: said, tools };
    const answer = await post('/api/v1/messages/count_tokens?beta=true', tool, body);
    expect([answer.status, await answer.json()]).toEqual([200, { input_tokens: expect.any(Number) }]);
  });

  it.each(upstreamProtocols)('whether it is let in at all, at an upstream of %s', async (protocol) => {
    const body = {
      model: modelOf(protocol, 'talk'),
      max_tokens: 1,
      messages: [{ role: 'user', content: 'quota' }],
      metadata: tool.body.metadata,
    };
    const answer = await post(tool.path, tool, body);
    expect([answer.status, await answer.json()]).toMatchObject([200, { type: 'message' }]);
  });

  it('with a key of its own header', async () => {
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
