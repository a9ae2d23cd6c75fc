import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { endWithResources, startProgram } from '../programs/program.ts';
import { findFreePort } from '../programs/readiness.ts';
import { atMost, formatFigure, formatTable, publish } from '../report/document.ts';
import { median } from '../report/statistics.ts';

const projectDir = fileURLToPath(new URL('../../..', import.meta.url));
const tryEveryMs = 10;

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { times: { type: 'string', default: '8' }, quick: { type: 'boolean', default: false } },
  });
  await endWithResources(async (resources) => {
    const { path: dataDir } = resources.use(await mkdtempDisposable(join(tmpdir(), 'sluice-bench-')));
    const startsMs: number[] = [];
    for (let time = 0; time <= Number(values.times); time += 1) startsMs.push(await measureStart(dataDir));
    const [first = 0, ...later] = startsMs;
    const rows = [
      ['first, on an empty folder', formatFigure(first / 1000, 2), '', ''],
      [
        'later',
        ...[median(later), Math.min(...later), Math.max(...later)].map((ms) => formatFigure(ms / 1000, 2)),
      ],
    ];
    publish('start', args, {
      goals: atMost('start after the first, to ready, s', median(later) / 1000, 2),
      tables: [formatTable([['seconds', 'median', 'least', 'most'], ...rows])],
    });
  });
}

async function measureStart(dataDir: string): Promise<number> {
  await using resources = new AsyncDisposableStack();
  const port = await findFreePort();
  const env = { PORT: String(port), SLUICE_DATA_DIR: dataDir, HOME: process.env.HOME ?? '/' };
  const startedAtMs = performance.now();
  const program = startProgram(resources, {
    name: 'npm start',
    command: 'npm',
    args: ['--prefix', projectDir, 'start'],
    env,
  });
  await program.expect(untilReady(`http://127.0.0.1:${port}/readyz`));
  return performance.now() - startedAtMs;
}

async function untilReady(url: string): Promise<void> {
  while (
    !(await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    ))
  )
    await delay(tryEveryMs);
}
