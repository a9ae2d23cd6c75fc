import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '../../../test/gateway.ts';
import { leaveMidAnswer, openCall } from '../../../test/leaving-caller.ts';
import {
  answerStream,
  type ScriptedProvider,
  startScriptedProvider,
} from '../../../test/scripted-provider.ts';

const paced = 'sandbox-normal:tokens=400,interval_ms=5';
const abortLimitMs = 1_000;

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
])('a caller that leaves with %s of its body sent is a row, and no provider is called', async (_, part) => {
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
});

it.each([false, true])(
  'a caller that leaves while the provider thinks (stream: %s) closes the connection to the provider within a second',
  async (stream) => {
    const called = Promise.withResolvers<void>();
    const hungUp = Promise.withResolvers<number>();
    provider.script = (response) => {
      response.on('close', () => hungUp.resolve(Date.now()));
      called.resolve();
    };
    const leaving = new AbortController();
    const clientRequestId = `left-waiting-${stream}`;
    const answer = gateway.complete(
      { model: 'm', stream },
      { signal: leaving.signal, headers: { 'x-request-id': clientRequestId } },
    );
    answer.catch(() => undefined);
    await called.promise;
    const leftAtMs = Date.now();
    leaving.abort();
    expect((await hungUp.promise) - leftAtMs).toBeLessThan(abortLimitMs);
    expect(await gateway.waitForRowOf(clientRequestId)).toMatchObject({
      status: 'client_closed',
      http_status: 499,
      attempts: 1,
      completion_tokens: 0,
      response: null,
    });
  },
);

describe.concurrent('a caller that leaves in the middle of a stream', () => {
  it.each([0, 1, 200, 1_000, 5_000, 20_000, 60_000])(
    'after %i bytes ends it at the provider within a second, and is charged for what came',
    async (bytes) => {
      const clientRequestId = `left-after-${bytes}`;
      const { received, leftAtMs } = await leaveMidAnswer(
        gateway,
        { model: paced, stream: true },
        clientRequestId,
        ({ length }) => length >= bytes,
      );
      const row = await gateway.waitForRowOf(clientRequestId);
      const entry = await billedFor(row.id);
      expect(entry.outcome).toBe('client_closed');
      expect(entry.endedAt - leftAtMs).toBeLessThan(abortLimitMs);
      expect(row).toMatchObject({
        status: 'client_closed',
        http_status: 499,
        attempts: 1,
        usage_source: 'partial',
      });
      expect(Math.abs(row.completion_tokens - entry.completionTokens)).toBeLessThanOrEqual(1);
      expect(row.response ?? '').toContain(textOf(received).trimEnd());
    },
  );

  it('that is faster than it reads pays for no more than was generated, and no less than it got', async () => {
    const clientRequestId = 'left-a-fast-stream';
    const { received } = await leaveMidAnswer(
      gateway,
      { model: 'sandbox-huge', stream: true },
      clientRequestId,
      ({ length }) => length >= 500_000,
    );
    const row = await gateway.waitForRowOf(clientRequestId);
    const { completionTokens } = await billedFor(row.id);
    expect(row.status).toBe('client_closed');
    expect(row.completion_tokens).toBeGreaterThanOrEqual(received.match(/^data: /gm)!.length - 2);
    expect(row.completion_tokens).toBeLessThanOrEqual(completionTokens);
  });
});

it('a caller that hangs up once it has read [DONE] has had its answer', async () => {
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

it('none of them is a fault of the process', () => {
  expect(gateway.problems).toEqual([]);
});
