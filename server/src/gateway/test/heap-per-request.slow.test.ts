import { once } from 'node:events';
import { type HeapProfiler, Session } from 'node:inspector/promises';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import type { LoadThreadOrder } from '#test/load/load-thread.ts';

const requests = 1_000;
/**
 * Maximum allocation of the gateway per request. Measured: 62 KiB, of which a bare proxy with node:http and undici
 * accounts for 22. Garbage collection is the largest single cost of a request.
 */
const bytesPerRequestMax = 66 * 1_024;

let gateway: TestGateway;
let load: Worker;

beforeAll(async () => {
  load = new Worker(new URL('../../../test/load/load-thread.ts', import.meta.url));
  const [{ providerPort }] = await once(load, 'message');
  const endpoint = `http://127.0.0.1:${providerPort}/v1`;
  gateway = await startGateway({
    seed: (seed) => seed.addInstance({ name: 'own', models: ['m'], endpoint }),
  });
  await gateway.pool.query(
    'UPDATE users SET requests_per_hour = NULL, daily_quota = NULL, monthly_quota = NULL',
  );
});
afterAll(async () => {
  await gateway.stop();
  await load.terminate();
});

async function send(count: number): Promise<void> {
  const content = 'Explain how a mutex differs from a semaphore, with an example in C. '.repeat(18);
  load.postMessage({
    url: `${gateway.origin}/api/v1/chat/completions`,
    apiKey: gateway.apiKey,
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], max_tokens: 50 }),
    requests: count,
  } satisfies LoadThreadOrder);
  const [{ failures }] = await once(load, 'message');
  expect(failures).toEqual([]);
}

type Node = HeapProfiler.SamplingHeapProfileNode;

/** The shipper is a separate process in an installation. */
function sumOfGateway({ callFrame, children, selfSize }: Node): number {
  if (/\/shipper\/|\/db\/(binary-)?copy|\/pg(-protocol)?\//.test(callFrame.url)) return 0;
  if (/^(readRecord|readFrame)$/.test(callFrame.functionName)) return 0;
  return children.reduce((sum, child) => sum + sumOfGateway(child), selfSize);
}

/** Bytes allocated while `action` runs, and its duration in milliseconds. */
async function sampleHeap(action: () => Promise<unknown>): Promise<{ bytes: number; durationMs: number }> {
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: 2_048,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  const startedMs = performance.now();
  await action();
  const durationMs = performance.now() - startedMs;
  const { profile } = await session.post('HeapProfiler.stopSampling');
  session.disconnect();
  return { bytes: sumOfGateway(profile.head), durationMs };
}

it(`a request allocates at most ${bytesPerRequestMax / 1_024} KiB of heap in a worker`, async () => {
  await send(1_500);
  const loaded = await sampleHeap(() => send(requests));
  // Timers run more often during the same requests on a busy machine.
  const idle = await sampleHeap(() => setTimeout(3_000));
  const idleBytes = (idle.bytes / idle.durationMs) * loaded.durationMs;
  const bytesPerRequest = (loaded.bytes - idleBytes) / requests;
  console.log(`${(bytesPerRequest / 1_024).toFixed(1)} KiB per request`);
  expect(bytesPerRequest).toBeGreaterThan(10_000);
  expect(bytesPerRequest).toBeLessThan(bytesPerRequestMax);
});
