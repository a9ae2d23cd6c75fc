import { expect, it } from 'vitest';
import { formatMetrics } from '#telemetry/metrics/aggregate.ts';
import type { Metrics } from '#telemetry/metrics/catalogue.ts';
import { RequestMetrics } from '#telemetry/metrics/request-metrics.ts';
import { createRecord } from '#test/requests/request-record.ts';
import { createNodeMetrics } from './node-metrics.ts';

function startFake(requests: number) {
  const metrics = new RequestMetrics();
  const count = (more: number) => {
    for (let index = 0; index < more; index++) {
      metrics.begin();
      metrics.end(createRecord({ status: 'success', httpStatus: 200, responseTimeMs: 20, tenantId: 1 }), []);
    }
    metrics.begin();
  };
  count(requests);
  const exit = Promise.withResolvers<string>();
  let isAnswering = true;
  return {
    count,
    fallSilent: () => (isAnswering = false),
    die: () => exit.resolve('killed'),
    exited: exit.promise,
    readMetrics: () => (isAnswering ? Promise.resolve(metrics.read()) : new Promise<Metrics>(() => {})),
  };
}

const sample = async (all: readonly Metrics[], name: string) => {
  const line = (await formatMetrics(all)).split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? null : Number(line.slice(name.length));
};
const answered =
  'sluice_requests_total{protocol="openai-chat",operation="chat.completions",provider="none",status_class="2xx"}';
const within =
  'sluice_request_duration_seconds_bucket{protocol="openai-chat",provider="none",stream="false",le="0.025"}';

it('createNodeMetrics adds up the counters of all workers', async () => {
  const node = createNodeMetrics(() => 3);
  node.add('worker', startFake(2));
  node.add('worker', startFake(3));
  const all = await node.read();
  expect(await sample(all, answered)).toBe(5);
  expect(await sample(all, within)).toBe(5);
  expect(await sample(all, 'sluice_requests_in_flight')).toBe(2);
  expect(await sample(all, 'sluice_shed_requests_total')).toBe(3);
});

it('createNodeMetrics keeps the counters of a worker that died, so that no counter decreases', async () => {
  const node = createNodeMetrics(() => 0);
  const first = startFake(4);
  node.add('worker', first);
  await node.read();
  first.die();
  await first.exited;
  node.add('worker', startFake(1));
  const all = await node.read();
  expect(await sample(all, answered)).toBe(5);
  expect(await sample(all, 'sluice_requests_in_flight')).toBe(1);
  expect(await sample(all, 'sluice_process_exits_total{process="worker"}')).toBe(1);
});

it('createNodeMetrics uses the last known counters of a worker that is too busy to respond', async () => {
  const node = createNodeMetrics(() => 0);
  const busy = startFake(4);
  node.add('worker', busy);
  await node.read();
  busy.fallSilent();
  const all = await node.read();
  expect(await sample(all, answered)).toBe(4);
  expect(await sample(all, 'sluice_requests_in_flight')).toBe(null);
});

it('RequestMetrics includes only models with a price, and a limited number of them', async () => {
  const metrics = new RequestMetrics();
  const usage = {
    inputTokens: 1,
    outputTokens: 2,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
  };
  for (let index = 0; index < 300; index++) {
    const price = index === 0 ? null : { input: 1, output: 1 };
    metrics.end(createRecord({ model: `m${index}`, providerKey: `p${index}`, usage, price }), []);
  }
  const labels = (metrics.read().sluice_tokens_total ?? []).map((value) => value.labels);
  expect(new Set(labels.map(({ model }) => model)).size).toBe(201);
  expect(new Set(labels.map(({ provider }) => provider)).size).toBe(51);
  expect(labels.some(({ model }) => model === 'm0')).toBe(false);
});
