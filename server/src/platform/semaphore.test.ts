import { expect, it } from 'vitest';
import { createSemaphore, SemaphoreFullError } from './semaphore.ts';

function holdable() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, release: resolve };
}

it('never runs more work at once than it has slots, and runs all of it', async () => {
  const run = createSemaphore(2, 100);
  let running = 0;
  let peak = 0;
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, place) =>
      run(async () => {
        peak = Math.max(peak, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return place;
      }),
    ),
  );
  expect(peak).toBe(2);
  expect(results).toEqual(Array.from({ length: 20 }, (_, place) => place));
});

it('refuses work beyond what may wait, and takes it again once there is room', async () => {
  const run = createSemaphore(1, 1);
  const first = holdable();
  const running = run(() => first.promise);
  const waiting = run(async () => 'waited');
  await expect(run(async () => 'refused')).rejects.toThrow(SemaphoreFullError);
  first.release();
  await running;
  expect(await waiting).toBe('waited');
  expect(await run(async () => 'again')).toBe('again');
});

it('frees its slot when the work fails', async () => {
  const run = createSemaphore(1, 0);
  await expect(run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await run(async () => 'next')).toBe('next');
});
