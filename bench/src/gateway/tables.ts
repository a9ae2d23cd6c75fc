import { type Spread, spreadRatios } from '../report/statistics.ts';
import { formatFigure, formatTable } from '../report/table.ts';
import type { Figures } from './figures.ts';
import type { IdleCpu } from './idle-cpu.ts';

export type FiguresByName = ReadonlyMap<string, Figures>;

/** Formats throughput, CPU by part, and throughput compared with the control and the previous version. */
export function capacityTable(subjects: FiguresByName): string {
  const sluice = subjects.get('sluice')?.requestsPerSecond ?? null;
  const rows = [...subjects].flatMap(([name, figures]) => [
    [
      name,
      formatFigure(figures.requestsPerSecond, 0),
      formatFigure(divide(figures.requestsPerSecond, sluice), 2),
      formatFigure(figures.p50Ms, 2),
      formatFigure(figures.p99Ms, 2),
      formatFigure(figures.cpuMicros, 1),
      formatFigure(figures.deferredMs / 1000, 1),
      formatFigure(figures.generatorMicros, 1),
    ],
    ...partRows(figures, ['', '', '', '']),
  ]);
  const header = [
    '',
    'requests/s',
    '/ sluice',
    'p50 ms',
    'p99 ms',
    'CPU us/request',
    'deferred s',
    'load us',
  ];
  return formatTable([header, ...rows]);
}

/** Formats CPU and latency of every subject at one rate; ratios are within a round, as median and (least - most). */
export function rateTable(subjects: FiguresByName): string {
  const direct = subjects.get('direct');
  const nginx = subjects.get('nginx');
  const bare = subjects.get('bare-parsing');
  const rows = [...subjects].flatMap(([name, figures]) => [
    [
      name,
      formatFigure(figures.cpuMicros, 1),
      formatSpread(spreadRatios(figures.cpuByRound, nginx?.cpuByRound ?? [])),
      formatSpread(spreadRatios(figures.cpuByRound, bare?.cpuByRound ?? [])),
      formatSpread(spreadRatios(figures.activeCpuByRound, bare?.activeCpuByRound ?? [])),
      formatFigure(subtract(figures.p50Ms, direct?.p50Ms), 2),
      formatFigure(figures.p99Ms, 2),
      formatFigure(subtract(figures.p99Ms, nginx?.p99Ms), 2),
    ],
    ...partRows(figures, []),
  ]);
  const header = [
    '',
    'CPU us/request',
    '/ nginx',
    '/ bare-parsing',
    'without idle / bare-parsing',
    'added p50 ms',
    'p99 ms',
    'p99 beyond nginx',
  ];
  return formatTable([header, ...rows]);
}

/** Formats the idle usage of each part in percent of a core. */
export function idleTable(idle: ReadonlyMap<string, IdleCpu>): string {
  const rows = [...idle].flatMap(([name, parts]) =>
    [...parts].map(([part, share]) => [
      parts.size > 1 ? `${name}, ${part}` : name,
      formatFigure(share * 100, 2),
    ]),
  );
  return formatTable([['without requests', '% of a core'], ...rows]);
}

function partRows({ cpuParts }: Figures, between: string[]): string[][] {
  if (cpuParts.length < 2) return [];
  return cpuParts.map(([part, micros]) => [`  ${part}`, ...between, formatFigure(micros, 1)]);
}

export function formatSpread(spread: Spread | null): string {
  if (!spread) return '-';
  return `${spread.median.toFixed(2)} (${spread.min.toFixed(2)} - ${spread.max.toFixed(2)})`;
}

function divide(figure: number, base: number | null): number | null {
  return base ? figure / base : null;
}

function subtract(figure: number, base: number | undefined): number | null {
  return base === undefined ? null : figure - base;
}
