import { atMost, formatFigure, formatTable, type Goal } from '../report/document.ts';
import { type Spread, spreadRatios } from '../report/statistics.ts';
import type { IdleCpu } from './cpu-time.ts';
import type { Figures } from './figures.ts';

export type FiguresByName = ReadonlyMap<string, Figures>;

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

/** Ratios are computed within a round and shown as median and (minimum - maximum). */
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

export interface Measured {
  readonly capacity: FiguresByName;
  readonly atRates: ReadonlyMap<number, FiguresByName>;
  readonly idle: ReadonlyMap<string, IdleCpu>;
  /** Memory of the worker after the load at saturation; `null` if unknown. */
  readonly residentMegabytes: number | null;
}

const latencyRate = 500;

export function listGoals({ capacity, atRates, idle, residentMegabytes }: Measured): Goal[] {
  const goals = [...atRates].flatMap(([rate, subjects]) => goalsAtRate(rate, subjects));
  const parts = idle.get('sluice');
  goals.push(...atMost('CPU of a worker without requests, % of a core', percent(parts?.get('worker')), 1));
  goals.push(
    ...atMost('CPU of PostgreSQL without requests, % of a core', percent(parts?.get('postgresql')), 0.5),
  );
  const before = capacity.get('sluice-before');
  const sluice = capacity.get('sluice');
  if (before && sluice) {
    const ratio = sluice.requestsPerSecond / before.requestsPerSecond;
    goals.push({
      name: 'requests per second at saturation / before',
      wanted: '>= 1.5',
      measured: ratio.toFixed(2),
      isMet: ratio >= 1.5,
    });
  }
  goals.push(...atMost('resident memory of a worker after 20 s at saturation, MB', residentMegabytes, 250));
  return goals;
}

function goalsAtRate(rate: number, subjects: FiguresByName): Goal[] {
  const sluice = subjects.get('sluice');
  const nginx = subjects.get('nginx');
  const bare = subjects.get('bare-parsing');
  const direct = subjects.get('direct');
  if (!sluice) return [];
  const cpuGoals = [
    ...ratioAtMost(
      'CPU of the Node processes / bare proxy that parses',
      ratioOf(sluice, bare, 'nodeCpuByRound'),
      2.3,
    ),
    ...ratioAtMost('CPU / nginx', ratioOf(sluice, nginx, 'cpuByRound'), 7),
    ...atMost('CPU of PostgreSQL per request, us', new Map(sluice.cpuParts).get('postgresql'), 25),
  ];
  const latencyGoals =
    rate === latencyRate
      ? [
          ...atMost('added p50, ms', direct && sluice.p50Ms - direct.p50Ms, 0.25),
          ...atMost('p99 beyond nginx, ms', nginx && sluice.p99Ms - nginx.p99Ms, 0.4),
        ]
      : [];
  return [...cpuGoals, ...latencyGoals].map((goal) => ({ ...goal, name: `${goal.name}, at ${rate}/s` }));
}

function ratioOf(
  one: Figures | undefined,
  other: Figures | undefined,
  kind: 'cpuByRound' | 'nodeCpuByRound',
) {
  return one && other ? spreadRatios(one[kind], other[kind]) : null;
}

/** Compares the median. Returns an empty list if the ratio is unknown. */
export function ratioAtMost(name: string, spread: Spread | null, most: number): Goal[] {
  if (!spread) return [];
  return [{ name, wanted: `<= ${most}`, measured: formatSpread(spread), isMet: spread.median <= most }];
}

const percent = (share: number | undefined) => (share === undefined ? undefined : share * 100);
