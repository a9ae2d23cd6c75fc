import { expect, it } from 'vitest';
import { waitAtMost } from './wait.ts';

it.each([
  ['that has ended', () => Promise.resolve()],
  ['that has failed', () => Promise.reject(new Error('failed'))],
])('waitAtMost resolves immediately for work %s', async (_, start) => {
  // A longer wait would exceed the timeout of the test.
  await expect(waitAtMost(600_000, start())).resolves.toBeUndefined();
});

it('waitAtMost waits for unfinished work until the limit', async () => {
  const startedMs = performance.now();
  await waitAtMost(200, new Promise(() => undefined));
  expect(performance.now() - startedMs).toBeGreaterThan(190);
});
