import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRetryBudget } from './retries.ts';

function start() {
  const time = { ms: 0 };
  const budget = createRetryBudget(() => time.ms);
  const request = (count: number) => {
    for (let index = 0; index < count; index++) budget.recordRequest();
  };
  const takeAll = () => {
    let taken = 0;
    while (taken < 10_000 && budget.take()) taken++;
    return taken;
  };
  return { time, request, takeAll };
}

test('a retry budget allows ten retries even if there are few requests', () => {
  const { request, takeAll } = start();
  request(1);
  expect(takeAll()).toBe(10);
});

test('a retry budget allows one retry per ten requests beyond the minimum', () => {
  const { request, takeAll } = start();
  request(1_000);
  expect(takeAll()).toBe(100);
  request(99);
  expect(takeAll()).toBe(9);
});

test('a retry budget forgets past requests after an idle hour', () => {
  const { time, request, takeAll } = start();
  request(100_000);
  time.ms = 3_600_000;
  expect(takeAll()).toBe(10);
});

test('a spent retry budget recovers over time', () => {
  const { time, takeAll } = start();
  expect(takeAll()).toBe(10);
  time.ms = 10_000;
  expect(takeAll()).toBe(5);
});

test('retries stay within a tenth of requests plus ten per half-life for any traffic pattern', () => {
  const step = fc.record({ gapMs: fc.nat(50), requests: fc.nat(20), wishes: fc.nat(20) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const { time, request, takeAll } = start();
      let requests = 0;
      let retries = 0;
      for (const { gapMs, requests: count, wishes } of steps) {
        time.ms += gapMs;
        request(count);
        requests += count;
        if (wishes > 0) retries += takeAll();
      }
      expect(retries).toBeLessThanOrEqual(requests / 10 + 10 * (1 + time.ms / 10_000));
    }),
    { numRuns: 200, seed: 20261120 },
  );
});
