import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hello, startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerCompletion,
  answerStream,
  answerWith,
  completionText,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { readCompletion } from '#test/requests/answers.ts';

const providerApiKey = 'sk-proj-4f9a0c7be21d8835aa60bd';
let provider: ScriptedProvider;
let gateway: TestGateway;
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    async seed(seed) {
      await seed.addTasks(5, 7);
      await seed.addInstance({
        name: 'Lab',
        models: ['m', 'org/m'],
        aliases: { fast: 'm' },
        endpoint: `${provider.origin}/v1`,
        providerApiKey,
      });
    },
  });
});
beforeEach(() => {
  provider.calls.length = 0;
  provider.script = answerCompletion();
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const receivedFor = async (body: string) => {
  const answer = await gateway.complete({}, { body });
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  return provider.calls.at(-1)?.body.toString();
};
const messages = JSON.stringify(hello);

describe('pass-through of requests', () => {
  it.each<[name: string, body: string]>([
    ['plain', `{"model":"m","messages":${messages}}`],
    ['white space around and within', ` \n\t{ "model" : "m" ,\r\n "messages" : ${messages} }\n`],
    [
      'numbers in forms that a parser would change',
      `{"seed":1e3,"temperature":1.0,"top_p":0.10,"model":"m","messages":${messages}}`,
    ],
    [
      'numbers that a double cannot represent',
      `{"model":"m","messages":${messages},"x":12345678901234567890.123456789}`,
    ],
    [
      'unnecessary escapes',
      `{"mod\\u0065l":"\\u006d","messages":[{"role":"user","content":"\\u0041\\/\\ud83d\\ude00"}]}`,
    ],
    ['characters of four bytes', `{"model":"m","messages":[{"role":"user","content":"😀 é 漢"}]}`],
    ['unknown fields', `{"model":"m","messages":${messages},"x_future":{"a":[1,null]},"":0}`],
    [
      'the fields __proto__ and constructor',
      `{"model":"m","messages":${messages},"__proto__":{"stream":true,"task_id":1},"constructor":{"prototype":1}}`,
    ],
    [
      'nulls for known fields',
      `{"model":"m","messages":${messages},"stream":null,"stop":null,"metadata":null,"stream_options":null}`,
    ],
    [
      'stream options of a request that does not stream',
      `{"model":"m","messages":${messages},"stream":false,"stream_options":{"include_usage":true}}`,
    ],
    [
      'metadata of the caller',
      `{"model":"m","messages":${messages},"metadata":{"Task_Id":"5","taskid":"6"}}`,
    ],
  ])('a request without gateway fields is forwarded byte for byte: %s', async (_, body) => {
    expect(await receivedFor(body)).toBe(body);
  });
});

describe('edits of requests', () => {
  it.each<[name: string, sent: string, received: string]>([
    ['an alias', `{"model":"fast","messages":${messages}}`, `{"model":"m","messages":${messages}}`],
    [
      'an instance before the model, in any case',
      `{"model":"lab/m", "messages":${messages}}`,
      `{"model":"m","messages":${messages}}`,
    ],
    [
      'a provider before the model',
      `{"model":"custom/org/m","messages":${messages}}`,
      `{"model":"org/m","messages":${messages}}`,
    ],
    [
      'a model whose own name holds a slash',
      `{"model":"org/m","messages":${messages}}`,
      `{"model":"org/m","messages":${messages}}`,
    ],
    [
      'task_id',
      `{"model":"m","task_id":"7","messages":${messages}, "seed" : 1.0}`,
      `{"model":"m","messages":${messages},"seed" : 1.0}`,
    ],
    [
      'task_id, null',
      `{"task_id":null,"model":"m","messages":${messages}}`,
      `{"model":"m","messages":${messages}}`,
    ],
    [
      'task_id in escapes',
      `{"model":"m","messages":${messages},"task\\u005fid":7}`,
      `{"model":"m","messages":${messages}}`,
    ],
    [
      'format',
      `{"model":"m","format":"openai","messages":${messages}}`,
      `{"model":"m","messages":${messages}}`,
    ],
    [
      'metadata that holds the task alone',
      `{"model":"m","metadata":{"task_id":7},"messages":${messages}}`,
      `{"model":"m","messages":${messages}}`,
    ],
    [
      'metadata that holds the task and more',
      `{"model":"m","metadata":{"b":"1","task_id":7,"a" : "2"},"messages":${messages}}`,
      `{"model":"m","metadata":{"b":"1","a" : "2"},"messages":${messages}}`,
    ],
  ])('a request is changed only by the documented edits: %s', async (_, sent, received) => {
    expect(await receivedFor(sent)).toBe(received);
  });

  const stream = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  it.each<[name: string, sent: string, received: string]>([
    [
      'without options',
      `{ "model":"m","stream":true,"messages":${messages}}`,
      `{"stream_options":{"include_usage":true}, "model":"m","stream":true,"messages":${messages}}`,
    ],
    [
      'with options that do not say',
      `{"model":"m","stream":true,"stream_options":{"x":1.0},"messages":${messages}}`,
      `{"model":"m","stream":true,"stream_options":{"include_usage":true,"x":1.0},"messages":${messages}}`,
    ],
    [
      'with options that decline',
      `{"model":"m","stream":true,"stream_options":{"include_usage":false},"messages":${messages}}`,
      `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":${messages}}`,
    ],
    [
      'with options that ask',
      `{"model":"m","stream":true,"stream_options":{ "include_usage": true },"messages":${messages}}`,
      `{"model":"m","stream":true,"stream_options":{ "include_usage": true },"messages":${messages}}`,
    ],
  ])('a stream is requested with usage: %s', async (_, sent, received) => {
    provider.script = answerStream(stream);
    expect(await receivedFor(sent)).toBe(received);
  });
});

describe('credentials on pass-through', () => {
  it("the caller's headers are not forwarded; the provider's key and the request id are", async () => {
    const answer = await gateway.complete(
      { model: 'm' },
      {
        headers: {
          'x-api-key': gateway.apiKey,
          'api-key': gateway.apiKey,
          'x-goog-api-key': gateway.apiKey,
          cookie: `session=${gateway.apiKey}`,
          'openai-organization': 'org-of-the-caller',
          'x-forwarded-for': '203.0.113.7',
          'x-client-request-id': 'of-the-caller',
          'x-request-id': 'of-the-caller',
          'user-agent': 'caller/1.0',
          'accept-encoding': 'br',
        },
      },
    );
    const [call] = provider.calls;
    expect(call?.headers).toEqual({
      host: new URL(provider.origin).host,
      connection: 'keep-alive',
      authorization: `Bearer ${providerApiKey}`,
      'content-type': 'application/json',
      'content-length': String(call?.body.length),
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'sluice',
      'x-client-request-id': answer.headers.get('x-request-id'),
      'x-sluice-hops': expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(call?.path).toBe('/v1/chat/completions');
  });

  it("the provider's credentials are never returned in a header, error or row", async () => {
    const leak = JSON.stringify({
      error: {
        message: `Incorrect API key provided: ${providerApiKey}. Header: Authorization: Bearer ${providerApiKey}`,
        code: 'bad',
      },
    });
    const chunk = 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n';
    const headers = {
      'content-type': 'application/json',
      'x-key': providerApiKey,
      'set-cookie': providerApiKey,
    };
    const scripts = [
      ...[400, 401, 403, 404, 422, 429, 500, 503].map((status) => answerWith(status, leak, headers)),
      answerWith(200, leak, headers),
      answerWith(200, completionText, headers),
      answerStream(`data: ${leak}\n\n`),
      answerStream(`${chunk}data: ${leak}\n\n`),
    ];
    const ids: string[] = [];
    for (const [index, script] of scripts.entries()) {
      provider.script = script;
      const answer = await gateway.complete({ model: 'm', stream: index >= scripts.length - 2 });
      const told = JSON.stringify([...answer.headers]) + (await answer.text());
      expect(told).not.toContain(providerApiKey);
      ids.push(answer.headers.get('x-request-id') ?? '');
    }
    const rows = await Promise.all(ids.map(gateway.waitForRow));
    expect(JSON.stringify(rows)).not.toContain(providerApiKey);
    expect(JSON.stringify([gateway.problems, gateway.providerFailures])).not.toContain(providerApiKey);
  });
});

describe('pass-through of responses', () => {
  it('a whole response is returned byte for byte', async () => {
    const body = ` ${completionText.replace('"created":1', '"created":1.0,"x":[1e3,"\\u0041"]')}\n`;
    provider.script = answerWith(200, body);
    const answer = await gateway.complete({ model: 'm' });
    expect(await answer.text()).toBe(body);
    expect(answer.headers.get('content-length')).toBe(String(body.length));
  });

  const chunk = (content: string) =>
    `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}],"usage":null}\n\n`;
  const usage = 'data: {"choices":[],"usage":{"prompt_tokens":2,"completion_tokens":2,"total_tokens":4}}\n\n';
  const before = `${chunk('Hé')}event: x\r\nid: 7\r\ndata: {"choices":[{"index":0,\r\ndata: "delta":{"content":"😀"},"finish_reason":"stop"}]}\r\n\r\n`;

  it('a stream with CRLF, event ids and multi-line data is returned byte for byte', async () => {
    provider.script = answerStream(`${before}${usage}data: [DONE]\n\n`);
    const asking = { model: 'm', stream: true, stream_options: { include_usage: true } };
    const answer = await gateway.complete(asking);
    expect(await answer.text()).toBe(`${before}${usage}data: [DONE]\n\n`);
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('a stream is returned without usage that the caller did not request', async () => {
    provider.script = answerStream(`: keep-alive\n\n${before}${usage}data: [DONE]\n\n`);
    const answer = await gateway.complete({ model: 'm', stream: true });
    expect(await answer.text()).toBe(`${before}data: [DONE]\n\n`);
    const row = await gateway.waitForRow(answer.headers.get('x-request-id') ?? '');
    expect(row).toMatchObject({
      status: 'success',
      completion_tokens: 2,
      usage_source: 'provider',
      response: 'Hé😀',
    });
  });

  it('a response for format "minimal" has five fields', async () => {
    const answer = await gateway.complete({ model: 'm', format: 'minimal', task_id: '7' });
    expect(JSON.parse(await answer.text())).toEqual({
      content: 'Hello',
      model: 'scripted',
      usage: { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 },
      task_id: 7,
      remaining_tokens: null,
    });
  });
});

it("the built-in sandbox receives the caller's request with the sandbox's own key", async () => {
  const answer = await gateway.complete({ model: 'sandbox/sandbox-inspect', task_id: 5, user: 'me' });
  const { choices } = await readCompletion(answer);
  const seen = JSON.parse(choices[0]?.message.content ?? '');
  expect(seen).toEqual({
    path: '/v1/chat/completions',
    headers: expect.objectContaining({
      authorization: '****dbox',
      'x-client-request-id': answer.headers.get('x-request-id'),
    }),
    body: JSON.stringify({ messages: hello, model: 'sandbox-inspect', user: 'me' }),
  });
});
