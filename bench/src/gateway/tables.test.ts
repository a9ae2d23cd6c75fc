import { expect, test } from 'vitest';
import type { Figures } from './figures.ts';
import { capacityTable, latencyTable } from './tables.ts';

const figures = (cpuMicros: number | null, p50Ms: number, cpuParts: Figures['cpuParts'] = []): Figures => ({
  requestsPerSecond: 1000,
  p50Ms,
  p99Ms: p50Ms * 2,
  cpuMicros,
  cpuParts,
  deferredMs: 1_250,
  generatorMicros: 20,
});
const subjects = new Map([
  ['direct', figures(null, 1)],
  ['nginx', figures(15, 1.5)],
  ['bare-parsing', figures(30, 2)],
  ['sluice', figures(60, 2.5, [['worker 1', 45], ['postgresql', 15]])], // biome-ignore format: pairs
]);
const cells = (table: string) => table.split('\n').map((line) => line.trim().split(/ {2,}/));

test('CPU is compared with nginx and with the bare proxy, each part of a subject too', () => {
  const rows = cells(capacityTable(subjects));
  expect(rows).toContainEqual(['sluice', '1000', '2.50', '5.00', '60.0', '4.00', '2.00', '1.3', '20.0']);
  expect(rows).toContainEqual(['worker 1', '45.0', '3.00', '1.50']);
});

test('without nginx its ratios are dashes', () => {
  const rows = cells(capacityTable(new Map([...subjects].filter(([name]) => name !== 'nginx'))));
  expect(rows).toContainEqual(['bare-parsing', '1000', '2.00', '4.00', '30.0', '-', '1.00', '1.3', '20.0']);
});

test('added latency is what lies above the provider asked directly', () => {
  expect(cells(latencyTable(subjects))).toContainEqual(['sluice', '2.50', '5.00', '1.50', '3.00']);
});
