import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createLeaseNodes, type HeldRequest, type LeaseNodes, type Payers } from '#test/load/lease-nodes.ts';
import { expireNodes } from './expired-nodes.ts';
import { LimitReached } from './limit-error.ts';

const one = { parallel_requests: 1 };
/** Long enough for a node to receive all replies even on a slow machine. */
const times = { patienceMs: 60_000, intervalMs: 0, refusalMs: 0 };

async function openImpatientNodes() {
  const opened = await createLeaseNodes({ database, times: { ...times, patienceMs: 500 } });
  return { ...opened, [Symbol.asyncDispose]: () => opened.close() };
}

let database: TestDatabase;
let nodes: LeaseNodes;

beforeAll(async () => {
  database = await createTestDatabase();
  nodes = await createLeaseNodes({ database, times });
});
afterAll(async () => {
  await nodes.close();
  await database.close();
});

async function addLimit(limit: number): Promise<Payers> {
  const name = `parallel-${Math.random()}`;
  const tenantId = await addTenant(database.pool, name);
  const { userId } = await addPerson(database.pool, tenantId, 'user', `${name}@shared.test`);
  const { rows } = await database.pool.query<{ id: number }>(
    `INSERT INTO budgets (tenant_id, user_id, measure, period, limit_amount)
     VALUES ($1, $2, 'parallel_requests', 'at_once', $3) RETURNING id`,
    [tenantId, userId, limit],
  );
  return { tenantId, userId, budgetId: rows[0]!.id };
}

type Node = Awaited<ReturnType<LeaseNodes['add']>>;

async function tryTake(node: Node): Promise<HeldRequest | null> {
  const outcome = await node.take(one).catch((error: unknown) => error);
  if (outcome instanceof LimitReached) return null;
  if (outcome instanceof Error) throw outcome;
  // safe because all other outcomes of `take` are handled above
  return outcome as HeldRequest;
}

async function takeAll(seats: readonly Node[], requests: number): Promise<HeldRequest[][]> {
  const taken = seats.map((): HeldRequest[] => []);
  await Promise.all(
    Array.from({ length: requests }, async (_, index) => {
      const place = index % seats.length;
      const held = await tryTake(seats[place]!);
      if (held) taken[place]!.push(held);
    }),
  );
  return taken;
}

const count = (taken: readonly HeldRequest[][]) => taken.flat().length;

it.each([1, 10, 100])(
  'three nodes together have at most %i requests in flight, repeatedly',
  async (limit) => {
    const payers = await addLimit(limit);
    const seats = await Promise.all([0, 1, 2].map(() => nodes.add(payers)));
    for (let round = 0; round < 3; round++) {
      const taken = await takeAll(seats, 3 * limit + 3);
      expect(count(taken)).toBe(limit);
      for (const [place, held] of taken.entries()) for (const request of held) seats[place]!.end(request, {});
      for (const node of seats) await node.ship();
    }
    expect(await readAllowance(payers)).toMatchObject({ settled: 0, overrun: 0 });
  },
);

it('a node admits a request once a request of another node has ended', async () => {
  const payers = await addLimit(1);
  const [first, second] = [await nodes.add(payers), await nodes.add(payers)];
  const held = await tryTake(first);
  expect(held).not.toBeNull();
  expect(await tryTake(second)).toBeNull();
  first.end(held!, {});
  expect(await tryTake(second)).not.toBeNull();
  expect(await tryTake(first)).toBeNull();
});

it('a node that rejects requests admits one as soon as another node frees a slot', async () => {
  await using cleanup = new AsyncDisposableStack();
  const patient = await createLeaseNodes({ database, times: { ...times, refusalMs: 600_000 } });
  cleanup.defer(() => patient.close());
  const payers = await addLimit(1);
  const [first, second] = [await patient.add(payers), await patient.add(payers)];
  const held = (await tryTake(first))!;
  expect([await tryTake(second), await tryTake(first)]).toEqual([null, null]);
  first.end(held, {});
  await expect.poll(() => tryTake(second)).not.toBeNull();
});

it('slots held by a killed node are free once its journal is replayed', async () => {
  // A killed node does not reply to recalls.
  await using nodes = await openImpatientNodes();
  const payers = await addLimit(4);
  const [first, second] = [await nodes.add(payers), await nodes.add(payers)];
  const ended = (await tryTake(first))!;
  await takeAll([first], 3);
  first.kill();
  first.end(ended, {});
  expect(count(await takeAll([second], 2))).toBe(0);
  await first.replay();
  expect(count(await takeAll([second], 9))).toBe(4);
});

it('slots held by a node without a journal are free when the node expires, and count as unused', async () => {
  const payers = await addLimit(3);
  const [lost, other] = [await nodes.add(payers), await nodes.add(payers)];
  await takeAll([lost], 3);
  lost.kill();
  await database.pool.query(
    `UPDATE nodes SET expires_at = expires_at - interval '12 minutes' WHERE id = $1`,
    [lost.id],
  );
  await expireNodes(createSystemDatabase(database.pool));
  expect(await readAllowance(payers)).toMatchObject({ settled: 0, leased: 0 });
  expect(count(await takeAll([other], 5))).toBe(3);
});

async function readAllowance({ budgetId }: Payers) {
  const { rows } = await database.pool.query<{ settled: number; leased: number; overrun: number }>(
    `SELECT settled::int, leased::int, overrun::int FROM allowances
     WHERE kind = 'parallel_requests' AND subject_id = $1`,
    [budgetId],
  );
  return rows[0];
}
