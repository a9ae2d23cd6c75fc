import { createSystemDatabase } from '#db/system.ts';
import { LimitReached } from '#gateway/allowance/limit-error.ts';
import { postEntries } from '#ledger/post.ts';
import { addPerson, addTenant } from '../console/console.ts';
import type { TestDatabase } from '../database/cluster-database.ts';
import { createLeaseNodes, type HeldRequest, type LeaseNode, type Payers } from './lease-nodes.ts';

export const sharedKinds = ['credits', 'requests_per_hour'] as const;

export interface SharedLimitRun {
  readonly database: TestDatabase;
  readonly kind: (typeof sharedKinds)[number];
  /** Number of requests that the limit allows, and number of concurrent requests. */
  readonly worth: number;
  readonly requests: number;
  readonly nodes: number;
}

export interface SharedLimitFigures {
  readonly served: number;
  readonly left: number;
  readonly durationMs: number;
}

const price = 612_000;

/** Spreads the requests over several nodes with separate connections. */
export async function shareLimit({
  database,
  kind,
  worth,
  requests,
  ...run
}: SharedLimitRun): Promise<SharedLimitFigures> {
  const payers = await addPayers(database, kind, worth);
  const nowMs = Date.now();
  const nodes = await createLeaseNodes({ database, connections: run.nodes, nowMs: () => nowMs });
  try {
    const seats = await Promise.all(Array.from({ length: run.nodes }, () => nodes.add(payers)));
    const startedMs = performance.now();
    const outcomes = await Promise.all(
      Array.from({ length: requests }, (_, index) => serve(seats[index % seats.length]!, kind)),
    );
    const durationMs = performance.now() - startedMs;
    for (const node of seats) await node.ship();
    const served = outcomes.filter((isServed) => isServed).length;
    return { served, left: await readLeft(database, kind, payers), durationMs };
  } finally {
    await nodes.close();
  }
}

async function serve(node: LeaseNode, kind: SharedLimitRun['kind']): Promise<boolean> {
  const amounts = { [kind]: kind === 'credits' ? price : 1 };
  const outcome = await node.take(amounts).catch((error: unknown) => error);
  if (outcome instanceof LimitReached) return false;
  if (outcome instanceof Error) throw outcome;
  // safe because all other results of `take` are handled above
  node.end(outcome as HeldRequest, amounts);
  return true;
}

async function addPayers({ pool }: TestDatabase, kind: string, worth: number): Promise<Payers> {
  const name = `shared-${kind}-${Math.random()}`;
  const tenantId = await addTenant(pool, name);
  const { userId } = await addPerson(pool, tenantId, 'user', `${name}@shared.test`);
  if (kind === 'requests_per_hour') {
    await pool.query('UPDATE users SET requests_per_hour = $1 WHERE id = $2', [worth, userId]);
  } else {
    const recharge = { tenantId, kind: 'recharge', amount: BigInt(worth * price), source: name } as const;
    await createSystemDatabase(pool).transaction((tx) =>
      postEntries(tx, [{ ...recharge, description: name, actorId: null }]),
    );
  }
  return { tenantId, userId };
}

async function readLeft({ pool }: TestDatabase, kind: string, { tenantId }: Payers): Promise<number> {
  const { rows } = await pool.query<{ left: number }>(
    'SELECT (limit_amount - settled)::float8 AS left FROM allowances WHERE tenant_id = $1 AND kind = $2',
    [tenantId, kind],
  );
  return rows[0]?.left ?? Number.NaN;
}
