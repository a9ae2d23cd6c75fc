import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { leaveMidAnswer, openCall } from '#test/load/leaving-caller.ts';
import { itSampled } from '#test/load/sample.ts';
import {
  answerStream,
  completionText,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

const paced = 'sandbox-normal:tokens=400,interval_ms=5';

let provider: ScriptedProvider;
let gateway: TestGateway;
beforeAll(async () => {
  provider = await startScriptedProvider();
  gateway = await startGateway({
    async seed(seed) {
      await seed.addInstance({ name: 'lab', models: [paced] });
      await seed.addInstance({ name: 'scripted', models: ['m'], endpoint: `${provider.origin}/v1` });
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

const billedFor = (id: string) => gateway.sandbox.journal.waitFor(({ requestId }) => requestId === id);
const textOf = (received: string) =>
  [...received.matchAll(/^data: (\{.*\})$/gm)]
    .map(([, event = '']) => JSON.parse(event).choices[0]?.delta.content ?? '')
    .join('');

it.each([
  ['half', '{"model":"sandbox-normal",'],
  ['one byte', '{'],
])(
  'a caller that disconnects with %s of its body sent leaves a row without a provider call',
  async (_, part) => {
    const clientRequestId = `left-after-${part.length}-of-the-body`;
    const call = openCall(gateway, clientRequestId, { 'content-length': 1_000 });
    call.on('error', () => undefined);
    await new Promise<void>((resolve) => call.write(part, () => resolve()));
    call.destroy();
    const row = await gateway.waitForRowOf(clientRequestId);
    expect(row).toMatchObject({
      status: 'client_closed',
      http_status: 499,
      attempts: 0,
      completion_tokens: 0,
    });
    expect(gateway.sandbox.journal.entries().some(({ requestId }) => requestId === row.id)).toBe(false);
  },
);

describe.each([false, true])('caller disconnects before the first byte (stream: %s)', (stream) => {
  const leaveWaiting = async (clientRequestId: string) => {
    const called = Promise.withResolvers<ServerResponse>();
    provider.script = (response) => called.resolve(response);
    const leaving = new AbortController();
    const answer = gateway.complete(
      { model: 'm', stream },
      { signal: leaving.signal, headers: { 'x-request-id': clientRequestId } },
    );
    answer.catch(() => undefined);
    const response = await called.promise;
    leaving.abort();
    return response;
  };

  it('a caller that disconnects before the first byte pays the usage reported at the end', async () => {
    const response = await leaveWaiting(`left-waiting-${stream}`);
    const usage = { prompt_tokens: 21, completion_tokens: 34, total_tokens: 55 };
    const text = JSON.stringify({ ...JSON.parse(completionText), usage });
    const events = `data: ${text.replace('"message"', '"delta"')}\n\ndata: [DONE]\n\n`;
    response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
    response.end(stream ? events : text);
    expect(await gateway.waitForRowOf(`left-waiting-${stream}`)).toMatchObject({
      attempts: 1,
      usage_source: 'provider',
      prompt_tokens: 21,
      completion_tokens: 34,
    });
  });

  it('a caller that disconnects before the first byte pays nothing if the provider fails, without a retry', async () => {
    const callsBefore = provider.calls.length;
    const response = await leaveWaiting(`left-failing-${stream}`);
    response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
    expect(await gateway.waitForRowOf(`left-failing-${stream}`)).toMatchObject({
      status: 'client_closed',
      usage_source: 'none',
      prompt_tokens: 0,
      completion_tokens: 0,
    });
    expect(provider.calls).toHaveLength(callsBefore + 1);
  });
});

describe.concurrent('caller disconnects mid-stream', () => {
  itSampled(3).each([0, 1, 200, 1_000, 5_000, 20_000, 60_000])(
    'a caller that disconnects after %i bytes pays the usage reported at the end',
    async (bytes) => {
      const clientRequestId = `left-after-${bytes}`;
      const { received } = await leaveMidAnswer(
        gateway,
        { model: paced, stream: true },
        clientRequestId,
        ({ length }) => length >= bytes,
      );
      const row = await gateway.waitForRowOf(clientRequestId);
      const entry = await billedFor(row.id);
      expect(entry.outcome).toBe('completed');
      expect(row).toMatchObject({
        status: 'client_closed',
        http_status: 499,
        attempts: 1,
        usage_source: 'provider',
        prompt_tokens: entry.promptTokens,
        completion_tokens: entry.completionTokens,
      });
      expect(row.response ?? '').toContain(textOf(received).trimEnd());
    },
  );

  it('a caller that disconnects pays for a response that the provider had already finished', async () => {
    const clientRequestId = 'left-a-fast-stream';
    await leaveMidAnswer(
      gateway,
      { model: 'sandbox-huge', stream: true },
      clientRequestId,
      ({ length }) => length >= 500_000,
    );
    const row = await gateway.waitForRowOf(clientRequestId);
    const { completionTokens } = await billedFor(row.id);
    expect(row).toMatchObject({
      status: 'client_closed',
      usage_source: 'provider',
      completion_tokens: completionTokens,
    });
  });
});

it('a caller that disconnects after reading [DONE] counts as a success', async () => {
  provider.script = answerStream(
    'data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    { end: false },
  );
  const clientRequestId = 'left-after-done';
  await leaveMidAnswer(gateway, { model: 'm', stream: true }, clientRequestId, (received) =>
    received.includes('[DONE]'),
  );
  expect(await gateway.waitForRowOf(clientRequestId)).toMatchObject({
    status: 'success',
    http_status: 200,
    response: 'a',
  });
});

it('disconnecting callers log no problems', () => {
  expect(gateway.problems).toEqual([]);
});
