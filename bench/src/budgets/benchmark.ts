import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Figures, summarizeSlices } from '../gateway/figures.ts';
import { startLoadGenerator } from '../gateway/load.ts';
import { readOptions } from '../gateway/options.ts';
import { providerAt, startProvider } from '../gateway/provider.ts';
import { checkAnswer, createRequestBody } from '../gateway/request-body.ts';
import { measureRounds, type Slices } from '../gateway/rounds.ts';
import { startPricedSluice } from '../gateway/sluice.ts';
import type { Target } from '../gateway/subject.ts';
import { formatSpread } from '../gateway/tables.ts';
import { endWithResources } from '../programs/program.ts';
import { formatFigure, formatTable, publish, type Report } from '../report/document.ts';
import { spreadRatios } from '../report/statistics.ts';

const bodyBytes = 1_500;
const connections = 32;
const ratioMax = 1.05;
/** Time after which no round starts, so that a run takes less than eight minutes. */
const lastRoundAfterMs = 400_000;

/** A second Sluice without budgets is the control. */
export async function run(args: string[]): Promise<void> {
  const startedAtMs = performance.now();
  const { values } = parseArgs({
    args,
    options: {
      rate: { type: 'string', default: '1500' },
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '36' },
      quick: { type: 'boolean', default: false },
    },
  });
  await endWithResources(async (resources) => {
    const { path: dir } = resources.use(await mkdtempDisposable(join(tmpdir(), 'sluice-bench-')));
    const upstream = await startProvider(resources);
    const surroundings = { resources, upstream, dir, options: readOptions([]) };
    const targets: [string, Target][] = [
      ['sluice', await startPricedSluice(surroundings)],
      ['sluice-again', await startPricedSluice(surroundings)],
      ['sluice-budgets', await startPricedSluice(surroundings, { hasBudgets: true })],
    ];
    const body = createRequestBody({ bytes: bodyBytes, isStreaming: false });
    for (const [name, target] of targets) await checkAnswer(name, target, providerAt(upstream), body);
    const order = {
      body,
      connections,
      durationMs: Number(values.seconds) * 1000,
      ratePerSecond: Number(values.rate),
    };
    const turn = { applyLoad: startLoadGenerator(resources), order, rounds: 1 };
    const warmUp = { ...turn, order: { ...order, ratePerSecond: null } };
    await measureRounds({ ...warmUp, targets: new Map(targets) });
    const slices: Slices = new Map(targets.map(([name]) => [name, []]));
    for (let round = 0; round < Number(values.rounds); round += 1) {
      if (performance.now() - startedAtMs > lastRoundAfterMs) break;
      const first = round % targets.length;
      const rotated = [...targets.slice(first), ...targets.slice(0, first)];
      const measured = await measureRounds({ ...turn, targets: new Map(rotated) });
      for (const [name, added] of measured) slices.get(name)?.push(...added);
    }
    publish('budgets', args, makeReport(slices, order.ratePerSecond));
  });
}

export function makeReport(slices: Slices, ratePerSecond: number): Report {
  const figures = new Map(
    [...slices].map(([name, of]) => [name, summarizeSlices(of, { isStreaming: false })]),
  );
  const base = figures.get('sluice')?.cpuByRound ?? [];
  const ratioOf = ({ cpuByRound }: Figures) => spreadRatios(cpuByRound, base);
  const rows = [...figures].flatMap(([name, one]) => [
    [name, formatFigure(one.cpuMicros, 1), formatSpread(ratioOf(one)), formatFigure(one.p50Ms, 2)],
    ...one.cpuParts.map(([part, micros]) => [`  ${part}`, formatFigure(micros, 1)]),
  ]);
  const table = formatTable([['', 'CPU us/request', '/ sluice', 'p50 ms'], ...rows]);
  const budgets = figures.get('sluice-budgets');
  const ratio = budgets ? ratioOf(budgets) : null;
  return {
    goals: [
      {
        name: 'CPU with six budgets / CPU',
        wanted: `<= ${ratioMax}`,
        measured: formatSpread(ratio),
        isMet: ratio !== null && ratio.median <= ratioMax,
      },
    ],
    tables: [`${base.length} rounds at ${ratePerSecond} requests/s:\n\n${table}`],
  };
}
