import { afterAll, expect, it } from 'vitest';
import { createAttemptStage } from '#test/console/attempt-stage.ts';
import { answerWith, startScriptedProvider } from '#test/providers/scripted-provider.ts';

const providers = new AsyncDisposableStack();
afterAll(() => providers.disposeAsync());

/** Linear congruential generator, which returns the same sequence from 0 to 1 in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

async function provideFaulty(share: number, seed: number) {
  const random = createRandom(seed);
  const provider = await startScriptedProvider((response, call) => {
    const draw = random() / share;
    if (draw >= 1) answerWith(200, '{}')(response, call);
    else if (draw < 0.4) response.destroy();
    else answerWith(draw < 0.7 ? 503 : 500, '{}')(response, call);
  });
  providers.defer(() => provider.close());
  return provider;
}

async function send(origins: string[], count: number): Promise<number> {
  const stage = createAttemptStage();
  let left = count;
  let successes = 0;
  const sendInTurn = async () => {
    while (left-- > 0) {
      await stage.run(origins).result.then(
        () => successes++,
        () => undefined,
      );
    }
  };
  await Promise.all(Array.from({ length: 40 }, sendInTurn));
  return successes;
}

const requestCount = 2_000;

it('a provider with 30% faults gets at most 10% more calls than requests', async () => {
  const provider = await provideFaulty(0.3, 1);
  const successes = await send([provider.origin], requestCount);
  const amplification = provider.calls.length / requestCount;
  expect(amplification).toBeLessThanOrEqual(1.1);
  expect(amplification).toBeGreaterThan(1.08);
  expect(successes / requestCount).toBeGreaterThan(0.74);
});

it('a provider with 3% faults causes at most 4 failed requests of 2,000', async () => {
  const provider = await provideFaulty(0.03, 2);
  expect(await send([provider.origin], requestCount)).toBeGreaterThanOrEqual(requestCount - 4);
  expect(provider.calls.length / requestCount).toBeLessThanOrEqual(1.1);
});

it('two instances with 30% faults serve more than 90% of requests, with at most 1.1 and 0.4 calls per request', async () => {
  const [first, second] = await Promise.all([provideFaulty(0.3, 3), provideFaulty(0.3, 4)]);
  const successes = await send([first.origin, second.origin], requestCount);
  expect(successes / requestCount).toBeGreaterThan(0.9);
  expect(first.calls.length / requestCount).toBeLessThanOrEqual(1.1);
  expect(second.calls.length / requestCount).toBeLessThanOrEqual(0.4);
});

it('a provider that always fails gets fewer than 100 calls for 2,000 requests, all of which the fallback serves', async () => {
  const [dead, well] = await Promise.all([provideFaulty(1, 5), provideFaulty(0, 6)]);
  expect(await send([dead.origin, well.origin], requestCount)).toBe(requestCount);
  expect(dead.calls.length).toBeLessThan(100);
});
