import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { measureIdleCpu } from '../gateway/cpu-time.ts';
import { readOptions } from '../gateway/options.ts';
import { startProvider } from '../gateway/provider.ts';
import { startSluice, startSluiceBefore } from '../gateway/sluice.ts';
import type { Target } from '../gateway/subject.ts';
import { idleTable } from '../gateway/tables.ts';
import { endWithResources } from '../programs/program.ts';
import { atMost, publish } from '../report/document.ts';

const settleMs = 10_000;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '60' },
      against: { type: 'string' },
      quick: { type: 'boolean', default: false },
    },
  });
  await endWithResources(async (resources) => {
    const { path: dir } = resources.use(await mkdtempDisposable(join(tmpdir(), 'sluice-bench-')));
    const upstream = await startProvider(resources);
    const against = values.against === undefined ? [] : ['--against', values.against];
    const surroundings = { resources, upstream, dir, options: readOptions(against) };
    const targets = new Map<string, Target>([['sluice', await startSluice(surroundings)]]);
    if (values.against) targets.set('sluice-before', await startSluiceBefore(surroundings));
    await delay(settleMs);
    const idle = await measureIdleCpu(targets, Number(values.seconds));
    const share = (part: string) => (idle.get('sluice')?.get(part) ?? 0) * 100;
    publish('idle', args, {
      goals: [
        ...atMost('CPU of a worker without requests, % of a core', share('worker'), 1),
        ...atMost('CPU of PostgreSQL without requests, % of a core', share('postgresql'), 0.5),
      ],
      tables: [idleTable(idle)],
    });
  });
}
