import { expect, it } from 'vitest';
import { RefusalPace } from './refusal-pace.ts';

const takeMany = (pace: RefusalPace, caller: string, count: number) =>
  Array.from({ length: count }, () => pace.take(caller));

it('RefusalPace.take delays nothing within the burst, then up to two seconds, and nothing after a pause', () => {
  let nowMs = 10_000;
  const pace = new RefusalPace(() => nowMs);
  expect(Math.max(...takeMany(pace, 'user 1', 1_000))).toBe(0);
  expect(takeMany(pace, 'user 1', 3)).toEqual([5, 10, 15]);
  expect(Math.max(...takeMany(pace, 'user 1', 10_000))).toBe(2_000);
  expect(pace.take('user 2')).toBe(0);
  nowMs += 8_000;
  expect(Math.max(...takeMany(pace, 'user 1', 1_000))).toBe(0);
});

it('RefusalPace.take delays nothing for a caller with at most 200 rejections per second', () => {
  let nowMs = 10_000;
  const pace = new RefusalPace(() => nowMs);
  for (let count = 0; count < 10_000; count++) {
    expect(pace.take('user 1')).toBe(0);
    nowMs += 5;
  }
});

it('RefusalPace.run calls the callbacks of a burst immediately and the others later', async () => {
  const pace = new RefusalPace();
  let answered = 0;
  const all = Promise.withResolvers<void>();
  for (let count = 0; count < 1_010; count++)
    pace.run('user 1', () => {
      if (++answered === 1_010) all.resolve();
    });
  expect(answered).toBeGreaterThanOrEqual(1_000);
  expect(answered).toBeLessThan(1_010);
  await all.promise;
});
