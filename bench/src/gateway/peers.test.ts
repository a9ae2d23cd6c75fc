import { expect, test } from 'vitest';
import type { Figures } from './figures.ts';
import { makePeerReport, peerTable } from './peers.ts';
import type { Subject } from './subject.ts';

const figures = (requestsPerSecond: number, cpuMicros: number, p50Ms: number): Figures => ({
  requestsPerSecond,
  p50Ms,
  p99Ms: p50Ms * 2,
  cpuMicros,
  cpuParts: [],
  cpuByRound: [cpuMicros, cpuMicros],
  nodeCpuByRound: [cpuMicros, cpuMicros],
  activeCpuByRound: [],
  deferredMs: 0,
  generatorMicros: 20,
});
const start = () => Promise.reject(new Error('not started'));
const subjects: Subject[] = [
  { name: 'direct', start },
  { name: 'gate', governs: 'quota', plain: 'gate-plain', start },
  { name: 'gate-plain', governs: 'nothing', start },
  { name: 'absent', governs: 'limits', start },
];
const capacity = new Map([
  ['direct', figures(9000, 1, 1)],
  ['gate', figures(400, 300, 3)],
  ['gate-plain', figures(900, 100, 2)],
]);
const atRates = new Map([
  [200, capacity],
  [500, new Map([...capacity].filter(([name]) => name !== 'gate'))],
]);

test('peerTable compares a governed gateway with its plain version and shows a dash at a rate that it cannot carry', () => {
  const rows = peerTable({ capacity, atRates }, subjects).split('\n');
  expect(rows).toContain('| gate | quota | 400 | 300 us | 2.0 / 4.0 ms | - | 3.0 | - |');
  expect(rows).toContain('| gate-plain | nothing | 900 | 100 us | 1.0 / 2.0 ms | 1.0 / 2.0 ms | - | - |');
});

test('makePeerReport names the versions and the gateways that are not installed', () => {
  const measured = { capacity, atRates, idle: new Map(), residentMegabytes: null };
  const targets = new Map(
    ['direct', 'gate', 'gate-plain'].map((name) => [name, { url: '', headers: {}, version: '1.2' }]),
  );
  const { summary } = makePeerReport(measured, subjects, targets);
  expect(summary).toContain('Versions: direct 1.2, gate 1.2, gate-plain 1.2.');
  expect(summary).toContain('Not installed on this machine: absent.');
});
