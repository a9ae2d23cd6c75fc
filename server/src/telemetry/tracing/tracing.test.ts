import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '#platform/logger.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { type OtlpReceiver, startOtlpReceiver } from '#test/processes/otlp-receiver.ts';
import {
  answerCompletion,
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { openTracing } from './open-tracing.ts';

const prompt = 'canary-of-the-prompt';
const server = 2;
const client = 3;
let receiver: OtlpReceiver;
let provider: ScriptedProvider;
let gateway: TestGateway;
beforeAll(async () => {
  [receiver, provider] = await Promise.all([startOtlpReceiver(), startScriptedProvider()]);
  const refusal = answerWith(500, `{"error":{"message":"no: ${prompt}"}}`);
  const scripts = [refusal, answerCompletion()];
  provider.scripts.set('flaky', (...given) => (scripts.shift() ?? answerCompletion())(...given));
  gateway = await startGateway({
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.origin,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-team=llm%20gate',
      OTEL_SERVICE_NAME: 'the-gate',
      SLUICE_METRICS_TOKEN: 'a-token-for-the-metrics',
    },
    seed: (seed) =>
      seed.addInstance({ name: 'own', models: ['fine', 'flaky'], endpoint: `${provider.origin}/v1` }),
  });
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([receiver.close(), provider.close()]);
});

/** Returns the child spans once there are `count`. */
async function askTraced(body: object, count: number, flags = '01') {
  const traceId = randomBytes(16).toString('hex');
  const callerSpan = randomBytes(8).toString('hex');
  const answer = await gateway.complete(
    { messages: [{ role: 'user', content: prompt }], ...body },
    { headers: { traceparent: `00-${traceId}-${callerSpan}-${flags}` } },
  );
  const spansOf = () => receiver.spans.filter((span) => span.traceId === traceId);
  await expect.poll(spansOf).toHaveLength(count);
  return { answer, callerSpan, spans: spansOf() };
}

describe('tracing', () => {
  it("tracing records a request span below the caller's, with a child for the provider call", async () => {
    const { answer, callerSpan, spans } = await askTraced({ model: 'fine' }, 2);
    const request = spans.find(({ kind }) => kind === server);
    const call = spans.find(({ kind }) => kind === client);
    expect(request).toMatchObject({
      name: 'chat fine',
      parentSpanId: callerSpan,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'custom',
        'gen_ai.request.model': 'fine',
        'gen_ai.usage.input_tokens': 2,
        'gen_ai.usage.output_tokens': 1,
        'http.response.status_code': 200,
        'sluice.request.id': answer.headers.get('x-request-id'),
        'sluice.request.status': 'success',
      },
    });
    expect(call).toMatchObject({ name: 'chat fine', parentSpanId: request?.spanId });
    expect(BigInt(call?.startTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(
      BigInt(request?.startTimeUnixNano ?? 0),
    );
    expect(BigInt(call?.endTimeUnixNano ?? 0)).toBeGreaterThan(BigInt(call?.startTimeUnixNano ?? 0));
    expect(receiver.resources[0]).toMatchObject({ 'service.name': 'the-gate' });
    expect(receiver.headers[0]).toMatchObject({ 'x-team': 'llm gate' });
  });

  it('tracing records a span for each call, with the error of failed ones', async () => {
    const { spans } = await askTraced({ model: 'flaky' }, 3);
    const calls = spans.filter(({ kind }) => kind === client);
    expect(calls.map(({ status, attributes }) => [status.code ?? 0, attributes['error.type']])).toEqual(
      expect.arrayContaining([
        [2, 'upstream_error'],
        [0, undefined],
      ]),
    );
  });

  it('tracing records a rejected request as a span without a call', async () => {
    const { spans } = await askTraced({ model: 'nothing' }, 1);
    expect(spans[0]).toMatchObject({
      kind: server,
      attributes: { 'error.type': 'model_not_found', 'http.response.status_code': 404 },
    });
  });

  it('tracing skips a request that its caller does not sample, and starts a trace if there is no caller span', async () => {
    const before = receiver.spans.length;
    await gateway.complete(
      { model: 'fine' },
      { headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-00` } },
    );
    await gateway.complete({ model: 'fine' }, { headers: { traceparent: 'nonsense' } });
    await expect.poll(() => receiver.spans.length).toBe(before + 2);
    const request = receiver.spans.slice(before).find(({ kind }) => kind === server);
    expect(request?.parentSpanId ?? '').toBe('');
  });

  it("tracing sends no text of prompts or responses, and does not pass the caller's trace to providers", async () => {
    expect(receiver.bodies.join()).not.toContain(prompt);
    expect(receiver.bodies.join()).not.toContain('Hello');
    for (const { headers } of provider.calls) expect(headers).not.toHaveProperty('traceparent');
  });
});

it('requests succeed while the tracing receiver fails, and dropped spans are counted', async () => {
  receiver.answer(400);
  for (let index = 0; index < 5; index++)
    expect((await gateway.complete({ model: 'fine' })).status).toBe(200);
  const dropped = async () => {
    const headers = { authorization: 'Bearer a-token-for-the-metrics' };
    const text = await (await fetch(`${gateway.origin}/metrics`, { headers })).text();
    return Number(/sluice_telemetry_dropped_total\{signal="spans"\} (\d+)/.exec(text)?.[1] ?? 0);
  };
  await expect.poll(dropped).toBe(10);
  expect(gateway.problems).toContainEqual(expect.objectContaining({ msg: expect.stringContaining('spans') }));
});

it.each([
  ['always_on', 1, 1],
  ['always_off', 1, 0],
  ['traceidratio', 0, 0],
  ['traceidratio', 1, 1],
  ['parentbased_always_off', 1, 0],
  ['parentbased_traceidratio', 0, 0],
] as const)('the sampler %s at %d records %d traces', async (sampler, sampledRatio, count) => {
  const own = await startOtlpReceiver();
  const config = { endpoint: own.origin, headers: {}, serviceName: 'x', sampler, sampledRatio };
  const tracing = openTracing({ config, version: '1', node: 'n', log: createLogger('silent') });
  tracing.record(createRecord({ status: 'success', httpStatus: 200 }), [], {});
  await tracing.close();
  expect(own.spans).toHaveLength(count);
  await own.close();
});
