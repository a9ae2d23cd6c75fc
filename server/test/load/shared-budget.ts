import { setImmediate as nextTurn } from 'node:timers/promises';
import { LimitReached, LimitsUnavailable } from '#gateway/allowance/limit-error.ts';
import { addPerson, addTenant } from '../console/console.ts';
import type { TestDatabase } from '../database/cluster-database.ts';
import { createRandom } from '../processes/seeded-random.ts';
import { createLeaseNodes, type LeaseNode, type Payers } from './lease-nodes.ts';

export interface SharedBudgetRun {
  readonly database: TestDatabase;
  readonly limitNanoUsd: number;
  readonly requests: number;
  readonly nodes: number;
  /**
   * Number of nodes that are killed while requests are in flight. Their journals are replayed, and the nodes are
   * replaced.
   */
  readonly kills: number;
  readonly seed: number;
}

/** Results of a shared budget. Amounts are nano-dollars. */
export interface SharedBudgetFigures {
  readonly served: number;
  readonly refused: number;
  readonly interrupted: number;
  readonly used: number;
  readonly settled: number;
  /** Usage beyond holds. It bounds the amount by which the limit may be exceeded. */
  readonly overrun: number;
  /** Amount by which the limit is exceeded. */
  readonly over: number;
  /** Whether a request for exactly the remaining amount is admitted and a larger request is rejected. */
  readonly admitsRest: boolean;
}

const amountMax = 20_000_000;
const overrunEvery = 25;

/** Sends many more concurrent requests than a budget allows, over several nodes that are killed and replaced. */
export async function shareBudget(run: SharedBudgetRun): Promise<SharedBudgetFigures> {
  const { database, kills, requests } = run;
  const payers = await addBudget(database, run.limitNanoUsd);
  const nowMs = Date.now();
  const nodes = await createLeaseNodes({ database, connections: run.nodes + 1, nowMs: () => nowMs });
  const next = createRandom(String(run.seed));
  const random = (below: number) => Math.floor(next() * below);
  const count: Counted = { served: 0, refused: 0, interrupted: 0, used: 0, overrun: 0 };
  try {
    const seats = await Promise.all(Array.from({ length: run.nodes }, () => nodes.add(payers)));
    const killed = new Set<LeaseNode>();
    const size = Math.ceil(requests / (kills + 1));
    for (let round = 0; round <= kills; round++) {
      const serving = Array.from({ length: size }, (_, place) => {
        const node = seats[place % seats.length]!;
        return serve(node, () => killed.has(node), random, count);
      });
      const place = round % seats.length;
      const node = seats[place]!;
      for (let turns = random(20); turns > 0; turns--) await nextTurn();
      if (round < kills) {
        killed.add(node);
        node.kill();
        seats[place] = await nodes.add(payers);
      }
      await Promise.all(serving);
      if (killed.has(node)) await replay(node, count);
    }
    for (const node of seats) await node.ship();
    const settled = await readSettled(database, payers);
    const rest = run.limitNanoUsd - settled;
    return {
      ...count,
      settled,
      over: Math.max(0, -rest),
      admitsRest: await admitsExactly(database, payers, Math.max(0, rest)),
    };
  } finally {
    await nodes.close();
  }
}

interface Counted {
  served: number;
  refused: number;
  interrupted: number;
  used: number;
  overrun: number;
}

/** Holds an amount for some event loop turns, then uses part of the amount, or occasionally more. */
async function serve(
  node: LeaseNode,
  isKilled: () => boolean,
  random: (below: number) => number,
  count: Counted,
): Promise<void> {
  const amount = 1 + random(amountMax);
  const turns = random(6);
  const held = await node.take({ usd_budget: amount }).catch((error: unknown) => {
    if (error instanceof LimitReached) return null;
    if (error instanceof LimitsUnavailable && isKilled()) return undefined;
    throw error;
  });
  if (held === null) count.refused++;
  if (!held) return;
  for (let turn = 0; turn < turns; turn++) await nextTurn();
  if (isKilled()) return;
  const used = random(overrunEvery) === 0 ? amount + random(amount) : random(amount + 1);
  count.served++;
  count.used += used;
  count.overrun += Math.max(0, used - amount);
  node.end(held, { usd_budget: used });
}

async function replay(node: LeaseNode, count: Counted): Promise<void> {
  await node.replay(({ hold }) => {
    const used = Math.floor((hold?.parts[0]?.amount ?? 0) / 3);
    count.interrupted++;
    count.used += used;
    return { usd_budget: used };
  });
}

/**
 * Returns whether another node can take exactly the remaining amount. Waits for the replies of all nodes, however
 * slow the machine is.
 */
async function admitsExactly(database: TestDatabase, payers: Payers, rest: number): Promise<boolean> {
  const times = { patienceMs: 60_000, intervalMs: 0, refusalMs: 0 };
  const nodes = await createLeaseNodes({ database, connections: 2, times });
  try {
    return await takesExactly(await nodes.add(payers), rest);
  } finally {
    await nodes.close();
  }
}

async function takesExactly(node: LeaseNode, rest: number): Promise<boolean> {
  const isAdmitted = (amount: number) =>
    node.take({ usd_budget: amount }).then(
      () => true,
      (error: unknown) => {
        if (error instanceof LimitReached) return false;
        throw error;
      },
    );
  if (await isAdmitted(rest + 1)) return false;
  return rest === 0 || (await isAdmitted(rest));
}

async function addBudget({ pool }: TestDatabase, limitNanoUsd: number): Promise<Payers> {
  const name = `budget-${Math.random()}`;
  const tenantId = await addTenant(pool, name);
  const { userId } = await addPerson(pool, tenantId, 'user', `${name}@shared.test`);
  const { rows } = await pool.query<{ id: number }>(
    `INSERT INTO budgets (tenant_id, user_id, measure, period, limit_amount)
     VALUES ($1, $2, 'usd', 'total', $3) RETURNING id`,
    [tenantId, userId, limitNanoUsd],
  );
  return { tenantId, userId, budgetId: rows[0]!.id };
}

async function readSettled({ pool }: TestDatabase, { budgetId }: Payers): Promise<number> {
  const { rows } = await pool.query<{ settled: number }>(
    "SELECT settled::float8 FROM allowances WHERE kind = 'usd_budget' AND subject_id = $1",
    [budgetId],
  );
  return rows[0]?.settled ?? Number.NaN;
}
