import { atMost, type Goal } from '../report/goals.ts';
import { type Spread, spreadRatios } from '../report/statistics.ts';
import type { Figures } from './figures.ts';
import type { IdleCpu } from './idle-cpu.ts';
import type { FiguresByName } from './tables.ts';
import { formatSpread } from './tables.ts';

/** All measurements of a run. */
export interface Measured {
  readonly capacity: FiguresByName;
  readonly atRates: ReadonlyMap<number, FiguresByName>;
  readonly idle: ReadonlyMap<string, IdleCpu>;
  /** Memory of the worker after the load at saturation; null if unknown. */
  readonly residentMegabytes: number | null;
}

const latencyRate = 500;

/** Returns the figures that have goals. */
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
      name: 'requests a second at saturation / before',
      wanted: '>= 1.8',
      measured: ratio.toFixed(2),
      isMet: ratio >= 1.8,
    });
  }
  goals.push(...atMost('resident memory of a worker after 20 s at saturation, MB', residentMegabytes, 300));
  return goals;
}

function goalsAtRate(rate: number, subjects: FiguresByName): Goal[] {
  const sluice = subjects.get('sluice');
  const nginx = subjects.get('nginx');
  const bare = subjects.get('bare-parsing');
  const direct = subjects.get('direct');
  if (!sluice) return [];
  const cpuGoals = [
    ...ratioAtMost('CPU / bare proxy that parses', ratioOf(sluice, bare, 'cpuByRound'), 2),
    ...ratioAtMost('the same without idle CPU', ratioOf(sluice, bare, 'activeCpuByRound'), 1.7),
    ...ratioAtMost('CPU / nginx', ratioOf(sluice, nginx, 'cpuByRound'), 7),
    ...atMost('CPU of PostgreSQL per request, us', new Map(sluice.cpuParts).get('postgresql'), 25),
  ];
  const latencyGoals =
    rate === latencyRate
      ? [
          ...atMost('added p50, ms', direct && sluice.p50Ms - direct.p50Ms, 0.4),
          ...atMost('p99 beyond nginx, ms', nginx && sluice.p99Ms - nginx.p99Ms, 3),
        ]
      : [];
  return [...cpuGoals, ...latencyGoals].map((goal) => ({ ...goal, name: `${goal.name}, at ${rate}/s` }));
}

function ratioOf(one: Figures, other: Figures | undefined, kind: 'cpuByRound' | 'activeCpuByRound') {
  return other ? spreadRatios(one[kind], other[kind]) : null;
}

function ratioAtMost(name: string, spread: Spread | null, most: number): Goal[] {
  if (!spread) return [];
  return [{ name, wanted: `<= ${most}`, measured: formatSpread(spread), isMet: spread.median <= most }];
}

const percent = (share: number | undefined) => (share === undefined ? undefined : share * 100);
