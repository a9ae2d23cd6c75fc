import type { Report } from '../report/document.ts';
import { spreadRatios } from '../report/statistics.ts';
import { startBareNode } from './bare-node.ts';
import type { Figures } from './figures.ts';
import { startLitellm, startPlainLitellm } from './litellm.ts';
import { startNginx } from './nginx.ts';
import { startOneApi, startPlainOneApi } from './one-api.ts';
import { startPortkey } from './portkey.ts';
import { providerAt } from './provider.ts';
import { startPricedSluice } from './sluice.ts';
import type { Subject, Surroundings, Target } from './subject.ts';
import { capacityTable, type Measured, rateTable } from './tables.ts';

const everything = {
  governs: '3 limits, 6 budgets in dollars, intent, log row with prompt and response',
  plain: 'bare-parsing',
  start: (surroundings: Surroundings) => startPricedSluice(surroundings, { hasBudgets: true }),
};

export const peerSubjects: Subject[] = [
  { name: 'direct', start: async ({ upstream }) => providerAt(upstream) },
  { name: 'nginx', governs: 'nothing: a reverse proxy', start: startNginx },
  {
    name: 'bare-parsing',
    governs: 'nothing: a proxy that only parses',
    start: (surroundings) => startBareNode(surroundings, '--parse'),
  },
  { name: 'sluice', ...everything },
  { name: 'sluice-again', ...everything, governs: 'the same, as a control' },
  {
    name: 'one-api',
    governs: 'quota of the token and of the user, log row without texts',
    plain: 'one-api-plain',
    start: startOneApi,
  },
  { name: 'one-api-plain', governs: 'quota of the user', start: startPlainOneApi },
  {
    name: 'litellm',
    governs: 'budget and 2 limits of a key, spend log row without texts',
    plain: 'litellm-plain',
    start: startLitellm,
  },
  { name: 'litellm-plain', governs: 'master key only: no database', start: startPlainLitellm },
  { name: 'portkey', governs: 'nothing in this configuration: no keys, limits or log', start: startPortkey },
];

export function makePeerReport(
  { capacity, atRates }: Measured,
  chosen: readonly Subject[],
  targets: ReadonlyMap<string, Target>,
): Report {
  const byRate = [...atRates].map(([rate, figures]) => `At ${rate} requests/s:\n\n${rateTable(figures)}`);
  return {
    goals: [],
    summary: [
      peerTable({ capacity, atRates }, chosen),
      explain(chosen, targets),
      describeNoise(capacity),
    ].join('\n\n'),
    tables: [`At saturation:\n\n${capacityTable(capacity)}`, ...byRate],
  };
}

type Comparison = Pick<Measured, 'capacity' | 'atRates'>;

export function peerTable({ capacity, atRates }: Comparison, chosen: readonly Subject[]): string {
  const rates = [...atRates.keys()];
  const compared = [['saturation', capacity] as const, ...[...atRates].slice(-1)];
  const rows = chosen.flatMap(({ name, governs, plain = '' }) => {
    const figures = capacity.get(name);
    if (!figures || governs === undefined) return [];
    return [
      [
        name,
        governs,
        figures.requestsPerSecond.toFixed(0),
        `${figures.cpuMicros?.toFixed(0) ?? '-'} us`,
        ...[...atRates.values()].map((ofRate) => formatLatency(ofRate.get(name), ofRate.get('direct'))),
        ...compared.map(([, of]) => formatRatio(of.get(name), of.get(plain))),
      ],
    ];
  });
  const header = [
    'gateway',
    'governs',
    'requests/s',
    'CPU per request',
    ...rates.map((rate) => `added p50 / p99 at ${rate}/s`),
    ...compared.map(([at]) => `CPU governed / plain at ${typeof at === 'number' ? `${at}/s` : at}`),
  ];
  const rule = header.map((_, column) => (column < 2 ? '---' : '--:'));
  return [header, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function formatLatency(figures: Figures | undefined, direct: Figures | undefined): string {
  if (!figures || !direct) return '-';
  const added = [figures.p50Ms - direct.p50Ms, figures.p99Ms - direct.p99Ms];
  return `${added.map((ms) => ms.toFixed(1)).join(' / ')} ms`;
}

function formatRatio(governed: Figures | undefined, plain: Figures | undefined): string {
  const ratio = spreadRatios(governed?.cpuByRound ?? [], plain?.cpuByRound ?? []);
  return ratio ? ratio.median.toFixed(1) : '-';
}

/** Describes the difference between two equal subjects. Smaller differences between other subjects have no meaning. */
function describeNoise(capacity: Measured['capacity']): string {
  const [one, again] = [capacity.get('sluice'), capacity.get('sluice-again')];
  if (!one?.cpuMicros || !again?.cpuMicros) return 'The run had no control subject.';
  const apart = (left: number, right: number) => `${(Math.abs(right / left - 1) * 100).toFixed(0)}%`;
  const throughput = apart(one.requestsPerSecond, again.requestsPerSecond);
  const cpu = apart(one.cpuMicros, again.cpuMicros);
  return `Noise: the two equal Sluices differ by ${throughput} in requests/s and by ${cpu} in CPU per request.`;
}

function explain(chosen: readonly Subject[], targets: ReadonlyMap<string, Target>): string {
  const versions = [...targets].flatMap(([name, { version }]) => (version ? [`${name} ${version}`] : []));
  const missing = chosen.map(({ name }) => name).filter((name) => !targets.has(name));
  return [
    'Requests per second and CPU per request are at saturation; the CPU includes the database. Latencies are in addition to a direct',
    'connection. A dash is a rate that the gateway cannot carry, or nothing to compare with. Plain is the same product with what it',
    'allows to turn off (`-plain`); Sluice cannot turn off its log rows and intent, so its plain is the bare proxy.',
    ...(versions.length > 0 ? [`Versions: ${versions.join(', ')}.`] : []),
    ...(missing.length > 0 ? [`Not installed on this machine: ${missing.join(', ')}.`] : []),
  ].join('\n');
}
