import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startBareNode } from '../gateway/bare-node.ts';
import { type Figures, summarizeSlices } from '../gateway/figures.ts';
import { startLoadGenerator } from '../gateway/load.ts';
import { readOptions } from '../gateway/options.ts';
import { providerAt, startProvider } from '../gateway/provider.ts';
import { checkAnswer, createRequestBody } from '../gateway/request-body.ts';
import { measureRounds } from '../gateway/rounds.ts';
import { startSluice } from '../gateway/sluice.ts';
import type { Target } from '../gateway/subject.ts';
import { formatSpread, ratioAtMost } from '../gateway/tables.ts';
import { endWithResources } from '../programs/program.ts';
import { formatFigure, formatTable, publish, type Report } from '../report/document.ts';
import { type Spread, spreadRatios } from '../report/statistics.ts';

const sizes = [1_300, 20_000, 200_000, 1_000_000];
/** Goals for the CPU of the Node processes, as a multiple of the bare proxy that parses. */
const connections = 8;
const ratioMaxBySize = new Map([
  [20_000, 4.5],
  [200_000, 3],
]);

interface OfSize {
  readonly bytes: number;
  readonly figures: ReadonlyMap<string, Figures>;
  /** Without PostgreSQL. */
  readonly nodeRatio: Spread | null;
  /** `control` is the ratio of a second Sluice to the first, which shows the noise. */
  readonly ratio: Spread | null;
  readonly control: Spread | null;
}

/** Measures the cost of bodies of several sizes at saturation, where idle usage is negligible. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '2' },
      rounds: { type: 'string', default: '3' },
      quick: { type: 'boolean', default: false },
    },
  });
  await endWithResources(async (resources) => {
    const { path: dir } = resources.use(await mkdtempDisposable(join(tmpdir(), 'sluice-bench-')));
    const upstream = await startProvider(resources);
    const surroundings = { resources, upstream, dir, options: readOptions([]) };
    const targets = new Map<string, Target>([
      ['bare-parsing', await startBareNode(surroundings, '--parse')],
      ['sluice', await startSluice(surroundings)],
      ['sluice-again', await startSluice(surroundings)],
    ]);
    const applyLoad = startLoadGenerator(resources);
    const measured: OfSize[] = [];
    for (const bytes of sizes) {
      const body = createRequestBody({ bytes, isStreaming: false });
      for (const [name, target] of targets) await checkAnswer(name, target, providerAt(upstream), body);
      const order = { body, connections, durationMs: Number(values.seconds) * 1000, ratePerSecond: null };
      await measureRounds({ targets, rounds: 1, applyLoad, order });
      const slices = await measureRounds({ targets, rounds: Number(values.rounds), applyLoad, order });
      measured.push(summarize(bytes, slices));
    }
    publish('bodies', args, makeReport(measured));
  });
}

function summarize(bytes: number, slices: Awaited<ReturnType<typeof measureRounds>>): OfSize {
  const figures = new Map(
    [...slices].map(([name, of]) => [name, summarizeSlices(of, { isStreaming: false })]),
  );
  const cpu = (name: string) => figures.get(name)?.cpuByRound ?? [];
  return {
    bytes,
    figures,
    ratio: spreadRatios(cpu('sluice'), cpu('bare-parsing')),
    nodeRatio: spreadRatios(figures.get('sluice')?.nodeCpuByRound ?? [], cpu('bare-parsing')),
    control: spreadRatios(cpu('sluice-again'), cpu('sluice')),
  };
}

function makeReport(measured: readonly OfSize[]): Report {
  const rows = measured.map(({ bytes, figures, ratio, control }) => [
    `${bytes / 1000} KB`,
    formatFigure(figures.get('bare-parsing')?.cpuMicros ?? null, 0),
    formatFigure(figures.get('sluice')?.cpuMicros ?? null, 0),
    formatSpread(ratio),
    formatSpread(control),
  ]);
  const header = ['', 'bare-parsing us', 'sluice us', 'sluice / bare-parsing', 'sluice-again / sluice'];
  const parts = (measured[0]?.figures.get('sluice')?.cpuParts ?? []).map(([part]) => part);
  const partRows = measured.map(({ bytes, figures }) => {
    const micros = new Map(figures.get('sluice')?.cpuParts);
    return [`${bytes / 1000} KB`, ...parts.map((part) => formatFigure(micros.get(part) ?? null, 0))];
  });
  const goals = measured.flatMap(({ bytes, nodeRatio }) => {
    const ratioMax = ratioMaxBySize.get(bytes);
    const name = `CPU of the Node processes / bare proxy that parses, ${bytes / 1000} KB`;
    return ratioMax === undefined ? [] : ratioAtMost(name, nodeRatio, ratioMax);
  });
  return {
    goals,
    tables: [formatTable([header, ...rows]), formatTable([['sluice us', ...parts], ...partRows])],
  };
}
