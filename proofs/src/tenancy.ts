import type { RouteRow } from '@sluice/contract';
import {
  type Attempt,
  createPreparer,
  crossesTenants,
  rows,
  send,
  workerVariables,
} from '#test/access/attempts.ts';
import { callerKinds, judge } from '#test/access/callers.ts';
import { objectKindOf } from '#test/access/objects.ts';
import { createWorld, type World } from '#test/access/world.ts';
import { startWorker } from '#test/console/console-server.ts';
import { createClusterDatabase } from '#test/database/cluster-database.ts';
import { startTestCluster } from '#test/database/database-cluster.ts';
import { compareRanks, median } from './compare-ranks.ts';
import type { ProofResult } from './proof.ts';

const samples = 300;
const warmUps = 20;
const gapMaxMs = 2;
const chanceMin = 0.01;
/** Number of calls in the report. Those with the largest differences are listed. */
const shown = 10;

interface Timed {
  readonly rowName: string;
  readonly foreignMs: number;
  readonly missingMs: number;
  readonly chance: number;
  readonly wrong: number;
}

/** Requests objects of another tenant and missing objects in turn, and compares the response times. */
export async function proveTenancy(): Promise<ProofResult> {
  const cluster = await startTestCluster();
  const database = await createClusterDatabase(cluster.url, cluster.template);
  const { connectionString } = database;
  try {
    const cells = await prepareCells(await createWorld(database.pool));
    const worker = await startWorker({ connectionString, variables: workerVariables });
    const timed: Timed[] = [];
    for (const cell of cells) timed.push(await measure(worker.origin, cell));
    await worker.close();
    return {
      title: 'an object of another tenant gets the same response as a missing one, in the same time',
      holds: timed.every((one) => one.wrong === 0 && (gapOf(one) < gapMaxMs || one.chance > chanceMin)),
      text: describe(timed),
    };
  } finally {
    await database.close();
    await cluster.stop();
  }
}

interface Cell {
  readonly rowName: string;
  readonly row: RouteRow;
  readonly foreign: Attempt;
  readonly missing: Attempt;
}

async function prepareCells(world: World): Promise<Cell[]> {
  const kind = callerKinds.find(({ name }) => name === 'admin');
  if (!kind) throw new Error('there is no admin among the callers');
  const prepare = createPreparer(world);
  const cells: Cell[] = [];
  for (const [rowName, row] of rows) {
    const isOpen = row.permission === 'anyone' || crossesTenants(row);
    if (!objectKindOf(rowName, row) || isOpen || judge(kind, row) !== 'allowed') continue;
    const attempts = await prepare({ rowName, row, kind });
    const foreign = attempts.find(({ owner }) => owner === 'other tenant');
    const missing = attempts.find(({ owner }) => owner === 'missing');
    if (!foreign || !missing) throw new Error(`the access matrix has no foreign object for ${rowName}`);
    // Caller and body are the same, so that only the id differs.
    cells.push({ rowName, row, foreign, missing: { ...foreign, id: missing.id } });
  }
  return cells;
}

async function measure(origin: string, { rowName, row, foreign, missing }: Cell): Promise<Timed> {
  const foreignMs: number[] = [];
  const missingMs: number[] = [];
  let wrong = 0;
  const ask = async (attempt: Attempt, times: number[]) => {
    const startedMs = performance.now();
    const { status } = await send(origin, row, attempt);
    times.push(performance.now() - startedMs);
    if (status !== 404) wrong++;
  };
  for (let sample = 0; sample < warmUps + samples; sample++) {
    // The order alternates, since the second request benefits from a warm cache.
    const isForeignFirst = sample % 2 === 0;
    if (isForeignFirst) await ask(foreign, foreignMs);
    await ask(missing, missingMs);
    if (!isForeignFirst) await ask(foreign, foreignMs);
  }
  return {
    rowName,
    foreignMs: median(foreignMs.slice(warmUps)),
    missingMs: median(missingMs.slice(warmUps)),
    chance: compareRanks(foreignMs.slice(warmUps), missingMs.slice(warmUps)),
    wrong,
  };
}

const gapOf = ({ foreignMs, missingMs }: Timed) => Math.abs(foreignMs - missingMs);

function describe(timed: readonly Timed[]): string {
  const lines = timed
    .toSorted((left, right) => gapOf(right) - gapOf(left))
    .slice(0, shown)
    .map(
      (one) =>
        `| ${one.rowName} | ${one.foreignMs.toFixed(2)} ms | ${one.missingMs.toFixed(2)} ms | ${one.chance.toFixed(3)} | ${one.wrong} |`,
    );
  return `Each call with an object in its path is sent by an administrator, alternating between the id of another tenant's object and
an id that does not exist, ${samples} times each. All responses must be the same 404 (their bytes are compared by the access matrix), and the medians of
their times must be within ${gapMaxMs} ms, or the times must not differ by rank (Mann-Whitney, p > ${chanceMin}). Of ${timed.length} calls, those
with the largest gaps:

| call | another tenant's | missing | p | not 404 |
|---|---|---|---|---|
${lines.join('\n')}`;
}
