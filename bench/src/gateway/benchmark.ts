import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithResources } from '../programs/end-with-resources.ts';
import { describeRun } from '../report/machine.ts';
import { summariseSlices } from './figures.ts';
import { startLoadGenerator } from './load.ts';
import { type Options, readOptions } from './options.ts';
import { startProvider } from './provider.ts';
import { createRequestBody } from './request-body.ts';
import { measureRounds, type Slices } from './rounds.ts';
import { NotInstalledError, type Subject, type Surroundings, type Target } from './subject.ts';
import { subjects } from './subjects.ts';
import { capacityTable, latencyTable } from './tables.ts';

/** Compares Sluice with other gateways over one provider: what they carry, what they cost, what they add. */
export async function run(args: string[]): Promise<void> {
  const options = readOptions(args);
  await endWithResources(async (resources) => {
    const { path: dir } = resources.use(await mkdtempDisposable(join(tmpdir(), 'sluice-bench-')));
    const upstream = await startProvider(resources);
    const targets = await startSubjects({ resources, upstream, dir, options });
    await measure(resources, targets, options, args);
  });
}

async function startSubjects(surroundings: Surroundings): Promise<Map<string, Target>> {
  const targets = new Map<string, Target>();
  for (const { name, start } of chooseSubjects(surroundings.options)) {
    try {
      targets.set(name, await start(surroundings));
    } catch (error) {
      if (!(error instanceof NotInstalledError)) throw error;
      console.log(`${name}: not installed (${error.message})`);
    }
  }
  return targets;
}

function chooseSubjects({ only }: Options): Subject[] {
  const names = subjects.map(({ name }) => name);
  const unknown = only?.find((name) => !names.includes(name));
  if (unknown) throw new Error(`no subject is called ${unknown}; there are: ${names.join(', ')}`);
  return subjects.filter(({ name }) => !only || only.includes(name));
}

async function measure(
  resources: AsyncDisposableStack,
  targets: Map<string, Target>,
  { bodyBytes, isStreaming, connections, seconds, rounds }: Options,
  args: string[],
): Promise<void> {
  const applyLoad = startLoadGenerator(resources);
  const body = createRequestBody({ bytes: bodyBytes, isStreaming });
  const order = { body, connections, durationMs: seconds * 1000 };
  const summarise = (slices: Slices) =>
    new Map([...slices].map(([name, ofOne]) => [name, summariseSlices(ofOne, isStreaming)]));

  const capacity = summarise(
    await measureRounds({ targets, rounds, applyLoad, order: { ...order, ratePerSecond: null } }),
  );
  console.log(`\n${describeRun('gateway', args)}\n\n${capacityTable(capacity)}`);

  const slowest = Math.min(...[...capacity.values()].map(({ requestsPerSecond }) => requestsPerSecond));
  const ratePerSecond = Math.floor(slowest / 2);
  const atHalfLoad = summarise(
    await measureRounds({ targets, rounds, applyLoad, order: { ...order, ratePerSecond } }),
  );
  console.log(
    `\nat ${ratePerSecond} requests/s, half of what the slowest carries\n\n${latencyTable(atHalfLoad)}`,
  );
}
