import { expect, test } from 'vitest';
import type { Slice } from '../gateway/rounds.ts';
import { makeReport } from './benchmark.ts';

const latency = { p50Ms: 2, p99Ms: 4 };
const slice = (cpuMicros: number): Slice => ({
  requests: 1000,
  elapsedMs: 2000,
  whole: latency,
  firstByte: latency,
  generatorCpuMicros: 20_000,
  cpuPerRequest: new Map([['worker', cpuMicros]]),
  deferredMs: 1_200,
  countedMs: 3_200,
});
const report = (budgets: number[]) =>
  makeReport(
    new Map([
      ['sluice', [slice(100), slice(200)]],
      ['sluice-again', [slice(101), slice(198)]],
      ['sluice-budgets', budgets.map(slice)],
    ]),
    500,
  );

test('makeReport compares CPU with budgets and the control within each round', () => {
  const { goals, tables } = report([104, 208]);
  expect(goals).toMatchObject([{ measured: '1.04 (1.04 - 1.04)', isMet: true }]);
  expect(tables[0]).toContain('2 rounds at 500 requests/s');
  expect(tables[0]).toContain('1.00 (0.99 - 1.01)');
});

test('makeReport misses the goal above 5%', () => {
  expect(report([107, 214]).goals).toMatchObject([{ isMet: false }]);
});
