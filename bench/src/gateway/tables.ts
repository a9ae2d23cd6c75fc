import { formatFigure, formatTable } from '../report/table.ts';
import type { Figures } from './figures.ts';

type FiguresByName = Map<string, Figures>;

/** Throughput, latency and CPU of every subject, with the CPU as a ratio to nginx and to the bare proxy that parses. */
export function capacityTable(subjects: FiguresByName): string {
  const nginx = subjects.get('nginx')?.cpuMicros ?? null;
  const bare = subjects.get('bare-parsing')?.cpuMicros ?? null;
  const cpuCells = (micros: number | null) => [
    formatFigure(micros, 1),
    formatFigure(ratio(micros, nginx), 2),
    formatFigure(ratio(micros, bare), 2),
  ];
  const rows = [...subjects].flatMap(([name, figures]) => [
    [
      name,
      formatFigure(figures.requestsPerSecond, 0),
      formatFigure(figures.p50Ms, 2),
      formatFigure(figures.p99Ms, 2),
      ...cpuCells(figures.cpuMicros),
      formatFigure(figures.deferredMs / 1000, 1),
      formatFigure(figures.generatorMicros, 1),
    ],
    ...(figures.cpuParts.length > 1 ? figures.cpuParts : []).map(([part, micros]) => [
      `  ${part}`,
      ...['', '', ''],
      ...cpuCells(micros),
    ]),
  ]);
  const header = [
    '',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'CPU us/request',
    '/ nginx',
    '/ bare-parsing',
    'deferred s',
    'load us',
  ];
  return formatTable([header, ...rows]);
}

/** What every subject adds to the latency of the provider asked directly. */
export function latencyTable(subjects: FiguresByName): string {
  const direct = subjects.get('direct');
  const rows = [...subjects].map(([name, { p50Ms, p99Ms }]) => [
    name,
    formatFigure(p50Ms, 2),
    formatFigure(p99Ms, 2),
    formatFigure(difference(p50Ms, direct?.p50Ms), 2),
    formatFigure(difference(p99Ms, direct?.p99Ms), 2),
  ]);
  return formatTable([['', 'p50 ms', 'p99 ms', 'added p50', 'added p99'], ...rows]);
}

function ratio(figure: number | null, base: number | null): number | null {
  return figure === null || !base ? null : figure / base;
}

function difference(figure: number, base: number | undefined): number | null {
  return base === undefined ? null : figure - base;
}
