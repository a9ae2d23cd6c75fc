import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithResources } from '../programs/end-with-resources.ts';
import { describeRun } from '../report/machine.ts';
import { checkAnswer } from './check-answer.ts';
import { type Figures, summariseSlices } from './figures.ts';
import { startLoadGenerator } from './load.ts';
import { type Options, readOptions } from './options.ts';
import { providerAt, startProvider } from './provider.ts';
import { createRequestBody } from './request-body.ts';
import { measureRounds } from './rounds.ts';
import { NotInstalledError, type Subject, type Surroundings, type Target } from './subject.ts';
import { subjects } from './subjects.ts';
import { capacityTable, latencyTable } from './tables.ts';

/** Compares Sluice with other gateways over one provider: what they carry, what they cost, what they add. */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args);
  const chosen = chooseSubjects(options);
  await endWithResources(async (resources) => {
    const { path: dir } = resources.use(await mkdtempDisposable(join(tmpdir(), 'sluice-bench-')));
    const upstream = await startProvider(resources);
    const surroundings = { resources, upstream, dir, options };
    const targets = await startSubjects(chosen, surroundings);
    const { capacity, ratePerSecond, atHalfLoad } = await measure(targets, surroundings);

    console.log(`\n${describeRun('gateway', args)}\n\n${capacityTable(capacity)}\n`);
    console.log(`At ${ratePerSecond} requests/s, half of what the slowest carries:\n`);
    console.log(latencyTable(atHalfLoad));
    if (options.isStreaming) console.log('\nLatencies are those of the first byte of the body.');
  });
}

function chooseSubjects({ only }: Options): Subject[] {
  const names = subjects.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown) throw new Error(`no subject is called ${unknown}; there are: ${names.join(', ')}`);
  return subjects.filter(({ name }) => !only || only.includes(name));
}

async function startSubjects(chosen: Subject[], surroundings: Surroundings): Promise<Map<string, Target>> {
  const targets = new Map<string, Target>();
  for (const { name, start } of chosen) {
    try {
      targets.set(name, await start(surroundings));
    } catch (error) {
      if (!(error instanceof NotInstalledError)) throw error;
      console.log(`${name}: not installed (${error.message})`);
    }
  }
  if (targets.size === 0) throw new Error('there is nothing to measure');
  return targets;
}

async function measure(targets: Map<string, Target>, { resources, upstream, options }: Surroundings) {
  const { bodyBytes, isStreaming, connections, seconds, rounds, warmUpSeconds } = options;
  const body = createRequestBody({ bytes: bodyBytes, isStreaming });
  for (const [name, target] of targets) await checkAnswer(name, target, providerAt(upstream), body);

  const applyLoad = startLoadGenerator(resources);
  interface Turns {
    rounds: number;
    seconds: number;
    ratePerSecond: number | null;
  }
  const takeTurns = async (turns: Turns): Promise<Map<string, Figures>> => {
    const { ratePerSecond } = turns;
    const order = { body, connections, durationMs: turns.seconds * 1000, ratePerSecond };
    const slices = await measureRounds({ targets, rounds: turns.rounds, applyLoad, order });
    return new Map([...slices].map(([name, ofOne]) => [name, summariseSlices(ofOne, isStreaming)]));
  };

  await takeTurns({ rounds: 1, seconds: warmUpSeconds, ratePerSecond: null });
  const capacity = await takeTurns({ rounds, seconds, ratePerSecond: null });
  const slowest = Math.min(...[...capacity.values()].map(({ requestsPerSecond }) => requestsPerSecond));
  const ratePerSecond = Math.max(1, Math.floor(slowest / 2));
  const atHalfLoad = await takeTurns({ rounds, seconds, ratePerSecond });
  return { capacity, ratePerSecond, atHalfLoad };
}
