import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { closedPort } from '#test/processes/free-port.ts';
import {
  answerStream,
  answerWith,
  completionText,
  type Script,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { readError, readEvents } from '#test/requests/answers.ts';

const chunk = 'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n';
const stream = `${chunk}data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;
const serve: Script = (response, call) => {
  const script = JSON.parse(call.body.toString()).stream
    ? answerStream(stream)
    : answerWith(200, completionText);
  script(response, call);
};

// Each case uses its own model with its own script, since the cases run in parallel.
const models = Array.from({ length: 50 }, (_, index) => `m${index}`);
let unusedModels = models;

let first: ScriptedProvider;
let second: ScriptedProvider;
let gateway: TestGateway;
beforeAll(async () => {
  [first, second] = await Promise.all([startScriptedProvider(), startScriptedProvider(serve)]);
  const upstream = { connectMs: 5_000, firstByteMs: 2_000, idleMs: 2_000, totalMs: 60_000 };
  gateway = await startGateway({
    timeouts: { streaming: upstream, nonStreaming: upstream, retriesMax: 0 },
    async seed(seed) {
      const add = (name: string, enabled: string[], endpoint: string) =>
        seed.addInstance({ name, models: enabled, endpoint: `${endpoint}/v1`, providerApiKey: `sk-${name}` });
      await add('first', models, first.origin);
      await add('closed', ['unreachable'], `http://127.0.0.1:${closedPort}`);
      await add('nowhere', ['unresolvable'], 'http://provider.invalid');
      await add('second', [...models, 'unreachable', 'unresolvable'], second.origin);
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([first.close(), second.close()]);
});

const scriptModel = (script: Script, ofSecond: Script = serve) => {
  const [model = '', ...others] = unusedModels;
  unusedModels = others;
  first.scripts.set(model, script);
  second.scripts.set(model, ofSecond);
  return model;
};
const call = async (model: string, stream: boolean) => {
  const answer = await gateway.complete({ model, stream });
  return { answer, row: () => gateway.waitForRow(answer.headers.get('x-request-id') ?? '') };
};
const headersAt = ({ calls }: ScriptedProvider, model: string) =>
  calls.filter(({ body }) => JSON.parse(body.toString()).model === model).map(({ headers }) => headers);
const headOnly: Script = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
};

describe.concurrent('fallback before the first byte', () => {
  it.each<[name: string, script: Script]>([
    ['401', answerWith(401, '{}')],
    ['402', answerWith(402, '{}')],
    ['403', answerWith(403, '{}')],
    ['429', answerWith(429, '{}')],
    ['500', answerWith(500, '{}')],
    ['503', answerWith(503, '{}')],
    ['529', answerWith(529, '{}')],
    ['a redirect', answerWith(302, '', { location: 'http://127.0.0.1/' })],
    ['a closed connection', (response) => response.destroy()],
    [
      'a connection closed after the head',
      (response, received) => {
        headOnly(response, received);
        setImmediate(() => response.destroy());
      },
    ],
    ['silence', () => undefined],
    ['silence after the head', headOnly],
  ])('the second instance responds when the first fails before its first byte: %s', async (_, script) => {
    const model = scriptModel(script);
    for (const { answer, row } of await Promise.all([call(model, false), call(model, true)])) {
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('choices')]);
      expect(await row()).toMatchObject({
        status: 'success',
        attempts: 2,
        provider_instance_name: 'second',
        error_code: null,
      });
    }
    for (const instance of [first, second]) {
      const key = instance === first ? 'Bearer sk-first' : 'Bearer sk-second';
      expect(headersAt(instance, model).map(({ authorization }) => authorization)).toEqual([key, key]);
    }
    const idsAt = (instance: ScriptedProvider) =>
      headersAt(instance, model)
        .map((headers) => headers['x-client-request-id'])
        .sort();
    expect(idsAt(first)).toEqual(idsAt(second));
  });

  it.each(['unreachable', 'unresolvable'])(
    'the second instance responds when the first is %s',
    async (model) => {
      const { answer, row } = await call(model, false);
      expect(answer.status).toBe(200);
      expect(await row()).toMatchObject({ attempts: 2, provider_instance_name: 'second' });
    },
  );
});

describe.concurrent('no fallback', () => {
  it.each([400, 404, 413, 422])(
    'the second instance is not called when the first rejects the request itself with %i',
    async (status) => {
      const model = scriptModel(answerWith(status, '{"error":{"message":"no"}}'));
      const { answer, row } = await call(model, true);
      expect([answer.status, (await readError(answer)).message]).toEqual([status, 'no']);
      expect(await row()).toMatchObject({ status: 'error', attempts: 1, provider_instance_name: 'first' });
      expect(headersAt(second, model)).toEqual([]);
    },
  );

  it.each<[name: string, script: Script, isStream: boolean]>([
    [
      'a stream that is cut',
      (response, received) => {
        answerStream(chunk, { end: false })(response, received);
        setTimeout(() => response.destroy(), 50);
      },
      true,
    ],
    ['a stream that falls silent', answerStream(chunk, { end: false }), true],
    ['a stream that ends early', answerStream(chunk), true],
    [
      'half of a whole answer',
      (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
        response.write('{"id":');
        setTimeout(() => response.destroy(), 50);
      },
      false,
    ],
    ['a whole response that is not a completion', answerWith(200, '{}'), false],
  ])(
    'the second instance is not called after the first byte of the first: %s',
    async (_, script, isStream) => {
      const model = scriptModel(script);
      const { answer, row } = await call(model, isStream);
      if (isStream) {
        const events = await readEvents(answer);
        expect(events).toEqual([chunk.slice(6).trim(), expect.stringContaining('"error"')]);
      } else expect(answer.status).toBe(502);
      expect(await row()).toMatchObject({ status: 'error', attempts: 1, provider_instance_name: 'first' });
      expect(headersAt(second, model)).toEqual([]);
    },
  );

  it('the second instance is not called once the caller has disconnected', async () => {
    const leaving = new AbortController();
    const model = scriptModel(() => leaving.abort());
    const clientRequestId = 'left-before-the-fallback';
    await expect(
      gateway.complete({ model }, { signal: leaving.signal, headers: { 'x-request-id': clientRequestId } }),
    ).rejects.toThrow('abort');
    expect(await gateway.waitForRowOf(clientRequestId)).toMatchObject({
      status: 'client_closed',
      attempts: 1,
    });
    expect(headersAt(second, model)).toEqual([]);
  });
});

it('the last failure is returned when all instances fail', async () => {
  const full = answerWith(429, '{"error":{"message":"full"}}', { 'retry-after': '3' });
  const { answer, row } = await call(scriptModel(answerWith(500, '{}'), full), false);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '3']);
  expect(await row()).toMatchObject({
    status: 'error',
    attempts: 2,
    provider_instance_name: 'second',
    error_code: 'rate_limited',
  });
});
