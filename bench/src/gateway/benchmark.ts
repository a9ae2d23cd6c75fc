import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithResources, processTree, readResidentMegabytes } from '../programs/program.ts';
import { publish, type Report } from '../report/document.ts';
import { startBareNode } from './bare-node.ts';
import { measureIdleCpu, sumIdleCpu } from './cpu-time.ts';
import { type Figures, summarizeSlices } from './figures.ts';
import { type LoadOrder, startLoadGenerator } from './load.ts';
import { startNginx } from './nginx.ts';
import { type Options, readOptions } from './options.ts';
import { makePeerReport, peerSubjects } from './peers.ts';
import { providerAt, startProvider } from './provider.ts';
import { checkAnswer, createRequestBody } from './request-body.ts';
import { measureRounds, type Slice } from './rounds.ts';
import { startSluice, startSluiceAgain, startSluiceBefore } from './sluice.ts';
import { NotInstalledError, type Subject, type Surroundings, type Target } from './subject.ts';
import {
  capacityTable,
  type FiguresByName,
  idleTable,
  listGoals,
  type Measured,
  rateTable,
} from './tables.ts';

const subjects: Subject[] = [
  { name: 'direct', start: async ({ upstream }) => providerAt(upstream) },
  { name: 'nginx', start: startNginx },
  { name: 'bare', start: startBareNode },
  { name: 'bare-parsing', start: (surroundings) => startBareNode(surroundings, '--parse') },
  { name: 'sluice', start: startSluice },
  { name: 'sluice-again', start: startSluiceAgain },
  { name: 'sluice-before', start: startSluiceBefore },
];

const idleSeconds = 15;
const saturationSeconds = 20;
const rateHeadroom = 1.2;

export async function run(args: string[]): Promise<void> {
  const options = readOptions(args);
  const chosen = chooseSubjects(options);
  await endWithResources(async (resources) => {
    const { path: dir } = resources.use(await mkdtempDisposable(join(tmpdir(), 'sluice-bench-')));
    const upstream = await startProvider(resources);
    const surroundings = { resources, upstream, dir, options };
    const targets = await startSubjects(chosen, surroundings);
    const measured = await measure(targets, surroundings);
    if (options.peers) publish('peers', args, makePeerReport(measured, chosen, targets), 'gateway');
    else publish('gateway', args, makeReport(measured, options));
  });
}

function chooseSubjects({ only, peers }: Options): Subject[] {
  const available = peers ? peerSubjects : subjects;
  const names = available.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown) throw new Error(`unknown subject ${unknown}; available subjects: ${names.join(', ')}`);
  return available.filter(({ name }) => !only || only.includes(name));
}

export async function startSubjects(
  chosen: Subject[],
  surroundings: Surroundings,
): Promise<Map<string, Target>> {
  const targets = new Map<string, Target>();
  for (const { name, start } of chosen) {
    try {
      targets.set(name, await start(surroundings));
    } catch (error) {
      if (!(error instanceof NotInstalledError)) throw error;
      console.log(`${name}: not installed (${error.message})`);
    }
  }
  if (targets.size === 0) throw new Error('there is no subject to measure');
  return targets;
}

function makeReport(measured: Measured, { isStreaming }: Options): Report {
  const byRate = [...measured.atRates].map(
    ([rate, subjects]) => `At ${rate} requests/s:\n\n${rateTable(subjects)}`,
  );
  const tables = [
    `At saturation:\n\n${capacityTable(measured.capacity)}`,
    ...byRate,
    idleTable(measured.idle),
    ...(isStreaming ? ['Latencies are measured at the first byte of the body.'] : []),
  ];
  return { goals: listGoals(measured), tables };
}

async function measure(
  targets: Map<string, Target>,
  { resources, upstream, options }: Surroundings,
): Promise<Measured> {
  const { bodyBytes, isStreaming, connections, seconds, rounds, warmUpSeconds, rates } = options;
  const body = createRequestBody({ bytes: bodyBytes, isStreaming });
  for (const [name, target] of targets) await checkAnswer(name, target, providerAt(upstream), body);
  const applyLoad = startLoadGenerator(resources);
  const turn = { body, connections, durationMs: seconds * 1000, ratePerSecond: null };
  await measureRounds({
    targets,
    rounds: 1,
    applyLoad,
    order: { ...turn, durationMs: warmUpSeconds * 1000 },
  });
  const idle = await measureIdleCpu(targets, idleSeconds);
  const takeTurns = async (ratePerSecond: number | null, taking = targets): Promise<FiguresByName> => {
    const order = { ...turn, ratePerSecond };
    const slices = await measureRounds({ targets: taking, rounds, applyLoad, order });
    const summarize = (name: string, ofOne: Slice[]) =>
      summarizeSlices(ofOne, { isStreaming, idleShare: sumIdleCpu(idle.get(name)) });
    return new Map([...slices].map(([name, ofOne]) => [name, summarize(name, ofOne)]));
  };
  const capacity = await takeTurns(null);
  const atRates = new Map<number, FiguresByName>();
  for (const rate of rates) {
    const carriers = [...targets].filter(([name]) => canCarry(capacity.get(name), rate));
    atRates.set(rate, await takeTurns(rate, new Map(carriers)));
  }
  const residentMegabytes = options.peers
    ? null
    : await measureMemory(targets.get('sluice'), applyLoad, turn);
  return { capacity, atRates, idle, residentMegabytes };
}

/** Whether a subject is fast enough for a rate. A slower subject would leave requests without a response. */
const canCarry = (figures: Figures | undefined, rate: number) =>
  figures !== undefined && figures.requestsPerSecond > rateHeadroom * rate;

/** Returns the memory of a worker after 20 seconds at saturation. */
async function measureMemory(
  target: Target | undefined,
  applyLoad: ReturnType<typeof startLoadGenerator>,
  order: Omit<LoadOrder, 'url' | 'headers'>,
): Promise<number | null> {
  if (!target?.program) return null;
  const { url, headers, program, partOf } = target;
  await applyLoad({ ...order, url, headers, durationMs: saturationSeconds * 1000 });
  const tree = processTree(program.pid);
  const workers = tree.filter((entry) => partOf?.(entry, tree) === 'worker');
  return Math.max(...workers.map(({ pid }) => readResidentMegabytes(pid)));
}
