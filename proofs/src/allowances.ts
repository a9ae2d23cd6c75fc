import { createClusterDatabase, type TestDatabase } from '#test/database/cluster-database.ts';
import { startTestCluster } from '#test/database/database-cluster.ts';
import { checkAllowances } from '#test/load/check-allowances.ts';
import { type SharedBudgetFigures, shareBudget } from '#test/load/shared-budget.ts';
import { type SharedLimitFigures, sharedKinds, shareLimit } from '#test/load/shared-limit.ts';
import { callThreeWorkers, type WorkersFigures } from './processes/three-workers.ts';
import type { ProofResult } from './proof.ts';

const sequences = 20_000;
const rounds = 20;
const worth = 1_000;
const requests = 10_000;

/** Budget of $1. The requests could spend ten times as much. */
const budget = { limitNanoUsd: 1_000_000_000, requests: 1_000, nodes: 2, kills: 100 };

export async function proveAllowances(): Promise<ProofResult> {
  const seed = Number(process.env.SLUICE_PROOF_SEED ?? Date.now() % 2 ** 31);
  console.log(`seed ${seed}`);
  const cluster = await startTestCluster();
  const database = await createClusterDatabase(cluster.url, cluster.template);
  try {
    const budgets = await shareBudgets(database, seed);
    const shared = await shareLimits(database);
    const workers = await Promise.all([callThreeWorkers({ worth, requests, concurrency: 500 })]);
    const failure = await checkAllowances({ database, runs: sequences, seed }).catch(
      (error: unknown) => error,
    );
    if (failure) console.error(failure);
    const isExact = ({ served, left }: { served: number; left: number }) => served === worth && left === 0;
    return {
      title: 'limits are exact over several nodes',
      holds:
        !failure &&
        budgets.every(isWithinBound) &&
        shared.every(({ figures }) => figures.every(isExact)) &&
        workers.flat().every(isExact),
      text: `${describe(seed, failure, shared, workers.flat())}\n\n${describeBudgets(budgets)}`,
    };
  } finally {
    await database.close();
    await cluster.stop();
  }
}

function isWithinBound({ admitsRest, over, overrun, settled, used }: SharedBudgetFigures): boolean {
  return settled === used && over <= overrun && admitsRest;
}

async function shareBudgets(database: TestDatabase, seed: number): Promise<SharedBudgetFigures[]> {
  const all: SharedBudgetFigures[] = [];
  for (let round = 0; round < rounds; round++) {
    const figures = await shareBudget({ database, ...budget, seed: seed + round });
    console.log(`budget ${round}: ${JSON.stringify(figures)}`);
    all.push(figures);
  }
  return all;
}

function describeBudgets(all: readonly SharedBudgetFigures[]): string {
  const most = (read: (figures: SharedBudgetFigures) => number) => Math.max(...all.map(read));
  const dollars = (nanoUsd: number) => `$${(nanoUsd / 1e9).toFixed(4)}`;
  const sum = (read: (figures: SharedBudgetFigures) => number) =>
    all.reduce((total, figures) => total + read(figures), 0);
  return `One budget of $1 that ${budget.nodes} nodes share, ${budget.requests} concurrent requests that hold up to $0.02 each, ${budget.kills} kills of a
node with requests in flight, ${rounds} rounds; one of 25 requests uses more than its hold. ${sum(({ served }) => served)} requests were served,
${sum(({ interrupted }) => interrupted)} interrupted and ${sum(({ refused }) => refused)} rejected. The budget counted exactly the usage of the requests in
${all.filter(({ settled, used }) => settled === used).length} of ${rounds} rounds. It was exceeded by at most ${dollars(most(({ over }) => over))}, within the bound of ${dollars(most(({ overrun }) => overrun))} (the
usage of requests beyond their holds). A request for exactly the rest was admitted, and a request for more was rejected, in
${all.filter(({ admitsRest }) => admitsRest).length} of ${rounds} rounds.`;
}

interface SharedFigures {
  readonly kind: string;
  readonly figures: SharedLimitFigures[];
}

async function shareLimits(database: TestDatabase): Promise<SharedFigures[]> {
  const all: SharedFigures[] = [];
  for (const kind of sharedKinds) {
    const figures: SharedLimitFigures[] = [];
    for (let round = 0; round < rounds; round++) {
      const one = await shareLimit({ database, kind, worth, requests, nodes: 3 });
      console.log(
        `${kind} ${round}: served ${one.served}, left ${one.left}, ${Math.round(one.durationMs)} ms`,
      );
      figures.push(one);
    }
    all.push({ kind, figures });
  }
  return all;
}

function describe(
  seed: number,
  failure: unknown,
  shared: readonly SharedFigures[],
  workers: readonly WorkersFigures[],
): string {
  const spread = (values: readonly number[]) =>
    [...new Set(values)].toSorted((one, other) => one - other).join(', ');
  const rows = [
    ...shared.map(({ kind, figures }) => [
      `3 nodes in one process, ${rounds} rounds`,
      kind,
      spread(figures.map(({ served }) => served)),
      spread(figures.map(({ left }) => left)),
    ]),
    ...workers.map(({ kind, served, left }) => ['3 worker processes over HTTP', kind, served, left]),
  ];
  return `${sequences} random sequences of top-ups, holds, settlements, voids, shipping (twice), refunds, adjustments, changed limits,
kills, replays and write-offs on two nodes, compared with a reference model that only adds and subtracts (seed ${seed}): a request is accepted exactly
when the model accepts it, and after each step the leases, settlements, balances and bookings are consistent. ${failure ? '**Failed.**' : 'No mismatch.'}

One limit that allows ${worth} requests, ${requests} concurrent requests, each of which uses exactly its hold:

| nodes | limit | served | left |
|---|---|---|---|
${rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}`;
}
