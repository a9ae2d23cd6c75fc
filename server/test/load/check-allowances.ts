import fc from 'fast-check';
import { addPerson, addTenant } from '../console/console.ts';
import type { TestDatabase } from '../database/cluster-database.ts';
import { commands, End, moveCredits, replay, Ship } from './allowance-commands.ts';
import { type Command, checkSums, hourLimit, type Model, nothing, type Real } from './allowance-model.ts';
import { createLeaseNodes, type LeaseNodes } from './lease-nodes.ts';

const instant = { patienceMs: 2_000, intervalMs: 0, refusalMs: 0 };

export interface ModelRuns {
  readonly database: TestDatabase;
  readonly runs: number;
  readonly seed: number;
  readonly lanes?: number;
}

/**
 * Runs random sequences of allowance operations on two nodes and compares them with a reference model: requests are
 * admitted exactly if the model allows them, and all sums agree. Rejects with the seed and the shortest failing
 * sequence.
 */
export async function checkAllowances({ database, runs, seed, lanes = 4 }: ModelRuns): Promise<void> {
  // All sequences use the same hour and day, however long they run.
  const nowMs = Date.now();
  const nodes = await createLeaseNodes({
    database,
    nowMs: () => nowMs,
    times: instant,
    connections: 2 * lanes,
  });
  try {
    const lane = (index: number) =>
      fc.assert(
        fc.asyncProperty(commands, (sequence) => runSequence(database, nodes, sequence)),
        { numRuns: Math.ceil(runs / lanes), seed: seed + index, endOnFailure: runs > 5_000 },
      );
    await Promise.all(Array.from({ length: lanes }, (_, index) => lane(index)));
  } finally {
    await nodes.close();
  }
}

let sequences = 0;

async function runSequence(
  database: TestDatabase,
  nodes: LeaseNodes,
  sequence: Iterable<Command>,
): Promise<void> {
  const name = `m${process.pid}-${sequences++}`;
  const tenantId = await addTenant(database.pool, name);
  const { userId } = await addPerson(database.pool, tenantId, 'user', `${name}@model.test`);
  await database.pool.query('UPDATE users SET requests_per_hour = $1, daily_quota = 900 WHERE id = $2', [
    hourLimit,
    userId,
  ]);
  const payers = { tenantId, userId };
  const real: Real = { database, nodes, payers, seats: [await nodes.add(payers), await nodes.add(payers)] };
  await moveCredits(real, 'recharge', 1_000);
  const model: Model = {
    limits: { requests_per_hour: hourLimit, tokens_per_day: 900, credits: 1_000 },
    used: nothing(),
    open: [],
    unshipped: [nothing(), nothing()],
    covered: [nothing(), nothing()],
    dead: [],
  };
  await fc.asyncModelRun(() => ({ model, real }), sequence);
  await windUp(model, real);
}

/** Checks that nothing is leased anymore and that the ledger equals the balance. */
async function windUp(model: Model, real: Real): Promise<void> {
  while (model.open.length > 0) await new End(0, 1).run(model, real);
  while (model.dead.length > 0) await replay(model);
  for (const place of [0, 1]) {
    await new Ship(place, 1).run(model, real);
    await real.seats[place]!.book.whenQuiet();
    real.seats[place]!.kill();
    await real.seats[place]!.replay();
  }
  await checkSums(model, real);
  const { rows } = await real.database.pool.query(
    `SELECT count(*) FILTER (WHERE leased <> 0)::int AS leasing, max(limit_amount - settled) FILTER (WHERE kind = 'credits')::int AS balance,
       (SELECT sum(amount)::int FROM ledger_entries WHERE tenant_id = $1) AS booked
     FROM allowances WHERE tenant_id = $1`,
    [real.payers.tenantId],
  );
  const balance = model.limits.credits - model.used.credits;
  const { leasing, balance: kept, booked } = rows[0];
  if (leasing > 0 || kept !== balance || booked !== balance)
    throw new Error(
      `${leasing} are still leased; the balance is ${kept}, the ledger ${booked}, and both should be ${balance}`,
    );
}
