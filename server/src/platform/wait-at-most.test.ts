import { expect, it } from 'vitest';
import { waitAtMost } from './wait-at-most.ts';

const measure = async (start: () => Promise<unknown>) => {
  const startedMs = performance.now();
  await waitAtMost(200, start());
  return performance.now() - startedMs;
};

it.each([
  ['that has ended', () => Promise.resolve()],
  ['that has failed', () => Promise.reject(new Error('failed'))],
])('waitAtMost resolves at once for work %s', async (_, start) => {
  expect(await measure(start)).toBeLessThan(190);
});

it('waitAtMost waits for unfinished work until the limit', async () => {
  const waitedMs = await measure(() => new Promise(() => undefined));
  expect(waitedMs).toBeGreaterThan(190);
});
