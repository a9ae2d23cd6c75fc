import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerCompletion,
  answerStream,
  answerWith,
  completionText,
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { readError, readEvents } from '#test/requests/answers.ts';
import { frameBytesMax } from '#upstream/sse.ts';

// Each call uses its own model with its own script, since many calls run in parallel.
const models = Array.from({ length: 200 }, (_, index) => `m${index}`);
let unusedModels = models;

let provider: ScriptedProvider;
let gateway: TestGateway;
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    timeouts: { retriesMax: 0 },
    seed: (seed) => seed.addInstance({ name: 'lab', models, endpoint: `${provider.origin}/v1` }),
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const call = async (script: Script, stream = false) => {
  const [model = '', ...others] = unusedModels;
  unusedModels = others;
  provider.scripts.set(model, script);
  const answer = await gateway.complete({ model, stream });
  return { answer, model, id: answer.headers.get('x-request-id') ?? '' };
};

describe.concurrent('provider errors', () => {
  const refusal = (message: string, code: string | null = 'its_code', param: string | null = null) =>
    JSON.stringify({ error: { message, type: 'its_type', param, code } });

  it.each<[status: number, told: number, code: string]>([
    [400, 400, 'its_code'],
    [401, 502, 'provider_auth_failed'],
    [402, 502, 'provider_out_of_credit'],
    [403, 502, 'provider_auth_failed'],
    [404, 404, 'its_code'],
    [408, 408, 'its_code'],
    [409, 409, 'its_code'],
    [413, 413, 'its_code'],
    [418, 418, 'its_code'],
    [422, 422, 'its_code'],
    [429, 429, 'its_code'],
    [500, 502, 'upstream_error'],
    [501, 502, 'upstream_error'],
    [502, 502, 'upstream_error'],
    [503, 502, 'upstream_overloaded'],
    [504, 502, 'upstream_error'],
    [520, 502, 'upstream_error'],
    [529, 502, 'upstream_overloaded'],
  ])('provider error %i is returned as %i with the code %s, streaming or not', async (status, told, code) => {
    for (const stream of [false, true]) {
      const { answer } = await call(answerWith(status, refusal('because of it')), stream);
      expect([answer.status, (await readError(answer)).code]).toEqual([told, code]);
    }
  });

  it('a provider error about the request keeps its message, code and parameter', async () => {
    const { answer, id } = await call(
      answerWith(400, refusal('too long', 'context_length_exceeded', 'messages')),
    );
    expect(await readError(answer)).toEqual({
      message: 'too long',
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      param: 'messages',
    });
    expect(await gateway.waitForRow(id)).toMatchObject({
      status: 'error',
      http_status: 400,
      error_code: 'provider_rejected',
      error_message: 'too long',
    });
  });

  it.each<[shape: string, body: string, said: string]>([
    [
      'a message at the top',
      '{"object":"error","message":"no such model","type":"invalid_model","code":1500}',
      'no such model',
    ],
    ['a detail', '{"detail":"Not Found"}', 'Not Found'],
    [
      'details of fields',
      '{"detail":[{"loc":["body","messages"],"msg":"Field required"}]}',
      'Field required',
    ],
    ['a text as the error', '{"code":"bad","error":"Model not found: m"}', 'Model not found: m'],
    ['a list with the error', '[{"error":{"code":400,"message":"no such field"}}]', 'no such field'],
    ['nothing', '', 'HTTP 422'],
    ['a page', '<html><body>Bad gateway</body></html>', 'HTTP 422'],
    ['JSON of no known shape', '{"oops":true}', 'HTTP 422'],
    ['half of a JSON text', '{"error":{"message":"x', 'HTTP 422'],
  ])(
    'a provider error in the form of %s returns its message, or its status if there is no message',
    async (_, body, said) => {
      const { answer } = await call(answerWith(422, body));
      expect([answer.status, (await readError(answer)).message]).toEqual([422, said]);
    },
  );

  it('a provider error of a megabyte is truncated', async () => {
    const { answer } = await call(answerWith(400, refusal('long '.repeat(200_000))));
    const { message } = await readError(answer);
    expect(message.length).toBeLessThan(3_000);
  });

  it.each<
    [name: string, headers: Record<string, string>, retryAfter: string | null, shouldRetry: string | null]
  >([
    ['seconds', { 'retry-after': '7' }, '7', null],
    ['milliseconds', { 'retry-after-ms': '1500' }, '2', null],
    [
      'a date',
      { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() },
      expect.stringMatching(/^3[56]\d\d$/),
      'false',
    ],
    ['more than a minute', { 'retry-after': '61' }, '61', 'false'],
    ['nonsense', { 'retry-after': 'soon' }, null, null],
    ['nothing', {}, null, null],
  ])('a provider error passes on a valid retry delay: %s', async (_, headers, retryAfter, shouldRetry) => {
    for (const status of [429, 503]) {
      const { answer } = await call(answerWith(status, refusal('slow down'), headers));
      expect([answer.headers.get('retry-after'), answer.headers.get('x-should-retry')]).toEqual([
        retryAfter,
        shouldRetry,
      ]);
    }
  });
});

describe.concurrent('invalid provider responses', () => {
  const json = { 'content-type': 'application/json' };
  const sse = { 'content-type': 'text/event-stream' };
  const html = { 'content-type': 'text/html' };
  it.each<[name: string, script: Script, stream?: boolean]>([
    ['a page of HTML', answerWith(200, '<html>secret</html>', html)],
    ['an empty body', answerWith(200, '')],
    ['204', answerWith(204, '')],
    ['JSON that is not a completion', answerWith(200, '{"secret":1}')],
    ['a redirect', answerWith(302, '', { location: 'http://127.0.0.1:1/secret' })],
    [
      'an unrequested compressed body',
      answerWith(200, gzipSync(completionText), { ...json, 'content-encoding': 'gzip' }),
    ],
    ['33 MB', answerWith(200, completionText + ' '.repeat(33 * 1024 * 1024))],
    ['a head of 64 KB', answerWith(200, completionText, { ...json, 'x-long': 'x'.repeat(64 * 1024) })],
    ['something other than HTTP', (response) => response.socket?.end('SSH-2.0-OpenSSH_9.2\r\n')],
    ['JSON that is not a completion instead of a requested stream', answerWith(200, '{"secret":1}'), true],
    ['HTML instead of a requested stream', answerWith(200, '<html>secret</html>', html), true],
    ['a stream without content type', (response) => response.end('data: {}\n\n'), true],
    ['an event of more than 32 MB', answerWith(200, `data: ${'x'.repeat(frameBytesMax)}`, sse), true],
  ])('an invalid provider response is a 502 without its body: %s', async (_, script, stream = false) => {
    const { answer, model, id } = await call(script, stream);
    expect(answer.status).toBe(502);
    const { code, message } = await readError(answer);
    expect(code).toBe('upstream_invalid_response');
    expect(message).not.toContain('secret');
    expect(await gateway.waitForRow(id)).toMatchObject({
      status: 'error',
      http_status: 502,
      completion_tokens: 0,
    });
    const sent = provider.calls.filter(({ body }) => JSON.parse(body.toString()).model === model);
    expect(sent).toHaveLength(1);
  });
});

describe.concurrent('unusual streams', () => {
  const delta = (content: string) => `data: {"choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`;
  const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\n';
  const usage = (tokens: unknown) =>
    `data: {"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":${tokens}}}\n\n`;
  const done = 'data: [DONE]\n\n';

  it.each<[name: string, stream: string, status: string, tokens: number, source: string]>([
    ['that finish without [DONE] get one', delta('a') + finish + usage(3), 'success', 3, 'provider'],
    [
      'that close without a finish reason are complete',
      delta('a') + usage(3) + done,
      'success',
      3,
      'provider',
    ],
    [
      'that report usage twice are charged the last report',
      delta('a') + usage(3) + finish + usage(5) + done,
      'success',
      5,
      'provider',
    ],
    [
      'with a negative usage are charged for the output received',
      delta('a ') + delta('b') + finish + usage(-3) + done,
      'success',
      2,
      'partial',
    ],
    [
      'with an impossible usage are charged for the output received',
      delta('a') + finish + usage(1e18) + done,
      'success',
      1,
      'partial',
    ],
    [
      'with a usage that is a text are charged for the output received',
      delta('a') + finish + usage('"3"') + done,
      'success',
      1,
      'partial',
    ],
    [
      'with choices that are null continue',
      `data: {"choices":null}\n\n${delta('a')}${finish}${done}`,
      'success',
      1,
      'partial',
    ],
    [
      'with a choice that is null continue',
      `data: {"choices":[null]}\n\n${delta('a')}${finish}${done}`,
      'success',
      1,
      'partial',
    ],
    [
      'with an event that is not an object end there',
      `data: 7\n\n${delta('a')}${finish}${done}`,
      'error',
      0,
      'none',
    ],
    [
      'without any choice are complete once closed',
      `data: {"choices":[]}\n\n${done}`,
      'success',
      0,
      'partial',
    ],
  ])('provider streams %s', async (_, stream, status, tokens, source) => {
    const { answer, id } = await call(answerStream(stream), true);
    const events = await readEvents(answer);
    expect(events.at(-1) === '[DONE]').toBe(status === 'success');
    expect(await gateway.waitForRow(id)).toMatchObject({
      status,
      completion_tokens: tokens,
      usage_source: source,
    });
  });

  it("a stream with an error after the first byte ends with that error, without [DONE], and closes the provider's connection", async () => {
    const closed = Promise.withResolvers<void>();
    const { answer, id } = await call((response) => {
      response.on('close', closed.resolve);
      answerStream(`${delta('a')}data: {"error":{"message":"The server had an error"}}\n\n${delta('b')}`, {
        end: false,
      })(response, provider.calls[0]!);
    }, true);
    const events = await readEvents(answer);
    expect(events).toHaveLength(2);
    expect(JSON.parse(events[1] ?? '')).toEqual({ error: { message: 'The server had an error' } });
    await closed.promise;
    expect(await gateway.waitForRow(id)).toMatchObject({
      status: 'error',
      http_status: 200,
      response: 'a',
      completion_tokens: 1,
    });
  });

  it('a stream with an error before the first byte becomes an error status', async () => {
    const { answer } = await call(answerStream('data: {"error":{"message":"No capacity"}}\n\n'), true);
    expect([answer.status, (await readError(answer)).message]).toEqual([
      502,
      expect.stringContaining('No capacity'),
    ]);
  });
});

it('invalid provider responses log no problems', async () => {
  expect((await call(answerCompletion())).answer.status).toBe(200);
  expect(gateway.problems).toEqual([]);
});
