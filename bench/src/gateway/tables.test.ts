import { expect, test } from 'vitest';
import type { Figures } from './figures.ts';
import { capacityTable, idleTable, listGoals, rateTable } from './tables.ts';

const figures = (cpuMicros: number | null, p50Ms: number, cpuParts: Figures['cpuParts'] = []): Figures => ({
  requestsPerSecond: 1000,
  p50Ms,
  p99Ms: p50Ms * 2,
  cpuMicros,
  cpuParts,
  cpuByRound: cpuMicros === null ? [] : [cpuMicros, cpuMicros * 2],
  nodeCpuByRound: cpuMicros === null ? [] : [cpuMicros, cpuMicros * 2],
  activeCpuByRound: cpuMicros === null ? [] : [cpuMicros - 10, cpuMicros * 2 - 10],
  deferredMs: 1_250,
  generatorMicros: 20,
});
const parts: Figures['cpuParts'] = [['worker', 30], ['postgresql', 30]]; // biome-ignore format: pairs
const sluice = { ...figures(60, 2.5, parts), nodeCpuByRound: [30, 90] };
const subjects = new Map([
  ['direct', figures(null, 1)],
  ['nginx', figures(15, 1.5)],
  ['bare-parsing', figures(30, 2)],
  ['sluice', sluice],
]);
const cells = (table: string) => table.split('\n').map((line) => line.trim().split(/ {2,}/));

test('rateTable compares CPU with nginx and the bare proxy, round by round', () => {
  expect(cells(rateTable(subjects))).toContainEqual(
    ['sluice', '60.0', '4.00 (4.00 - 4.00)', '2.00 (2.00 - 2.00)', '2.35 (2.20 - 2.50)', '1.50', '5.00', '2.00'], // biome-ignore format: a row
  );
});

test('rateTable shows dashes for ratios to nginx if it is missing', () => {
  const rows = cells(rateTable(new Map([...subjects].filter(([name]) => name !== 'nginx'))));
  expect(rows).toContainEqual(
    ['bare-parsing', '30.0', '-', '1.00 (1.00 - 1.00)', '1.00 (1.00 - 1.00)', '1.00', '4.00', '-'], // biome-ignore format: a row
  );
});

test('capacityTable compares throughput with Sluice', () => {
  const rows = cells(
    capacityTable(new Map([...subjects, ['sluice-before', { ...sluice, requestsPerSecond: 400 }]])),
  );
  expect(rows).toContainEqual(['sluice-before', '400', '0.40', '2.50', '5.00', '60.0', '1.3', '20.0']);
});

test('idleTable shows the share of a core of each part', () => {
  const idle = new Map([['sluice', new Map([['worker', 0.0123], ['postgresql', 0.001]])]]); // biome-ignore format: pairs
  expect(cells(idleTable(idle))).toContainEqual(['sluice, worker', '1.23']);
});

test('listGoals returns goals as met or missed and omits unknown figures', () => {
  const measured = {
    capacity: subjects,
    atRates: new Map([[500, subjects]]),
    idle: new Map(),
    residentMegabytes: 320,
  };
  const goals = listGoals(measured).map(({ name, isMet }) => [name, isMet]);
  expect(goals).toContainEqual(['CPU of the Node processes / bare proxy that parses, at 500/s', true]);
  expect(goals).toContainEqual(['CPU / nginx, at 500/s', true]);
  expect(goals).toContainEqual(['CPU of PostgreSQL per request, us, at 500/s', false]);
  expect(goals).toContainEqual(['resident memory of a worker after 20 s at saturation, MB', false]);
  expect(goals.filter(([name]) => String(name).includes('without requests'))).toEqual([]);
});
