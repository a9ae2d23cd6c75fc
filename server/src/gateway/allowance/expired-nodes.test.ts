import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSystemDatabase } from '#db/system.ts';
import { postEntries } from '#ledger/post.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { createLeaseNodes, type LeaseNodes } from '#test/load/lease-nodes.ts';
import { deleteOldWindows, expireNodes, releaseNodes } from './expired-nodes.ts';

let database: TestDatabase;
let nodes: LeaseNodes;
let userId: number;
let tenantId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  nodes = await createLeaseNodes({ database });
});
afterAll(async () => {
  await nodes.close();
  await database.close();
});
beforeEach(async () => {
  await emptyTables(database, 'tenants', 'nodes');
  tenantId = await addTenant(database.pool, 'T');
  userId = (await addPerson(database.pool, tenantId, 'user', 'u@t.test')).userId;
  await database.pool.query('UPDATE users SET daily_quota = 3000 WHERE id = $1', [userId]);
  const recharge = {
    tenantId,
    kind: 'recharge',
    amount: 3000n,
    source: `test/${tenantId}`,
    description: 'test',
    actorId: null,
  } as const;
  await createSystemDatabase(database.pool).transaction((tx) => postEntries(tx, [recharge]));
});

async function readAmounts() {
  const { rows } = await database.pool.query<{ kind: string; settled: number; leased: number }>(
    'SELECT kind, settled::int, leased::int FROM allowances ORDER BY kind DESC',
  );
  return Object.fromEntries(rows.map(({ kind, settled, leased }) => [kind, [settled, leased]]));
}

const letTimePass = (interval: string) =>
  database.pool.query(`UPDATE nodes SET expires_at = expires_at - $1::interval`, [interval]);

async function killNode() {
  const node = await nodes.add({ tenantId, userId });
  const ended = await node.take({ tokens_per_day: 300 });
  await node.take({ tokens_per_day: 100 });
  const paid = await node.take({ credits: 400 });
  node.kill();
  node.end(ended, { tokens_per_day: 50 });
  node.end(paid, { credits: 60 });
  return node;
}

it("a dead node's leases are freed once its journal is replayed", async () => {
  const node = await killNode();
  await node.replay();
  expect(await readAmounts()).toEqual({ tokens_per_day: [50, 0], credits: [60, 0] });
  expect((await database.pool.query('SELECT FROM nodes')).rowCount).toBe(0);
});

it('a node that only paused keeps its leases', async () => {
  const node = await killNode();
  await letTimePass('9 minutes');
  expect(await expireNodes(createSystemDatabase(database.pool))).toEqual([]);
  await node.ship();
  expect(await readAmounts()).toMatchObject({ tokens_per_day: [50, expect.any(Number)] });
});

it('leases of a node without a journal expire after ten minutes: quotas count as used and credits return', async () => {
  const node = await killNode();
  const before = await readAmounts();
  await letTimePass('12 minutes');
  expect(await expireNodes(createSystemDatabase(database.pool))).toEqual([node.id]);
  expect(await expireNodes(createSystemDatabase(database.pool))).toEqual([]);
  expect(await readAmounts()).toEqual({ tokens_per_day: [before.tokens_per_day?.[1], 0], credits: [0, 0] });
});

it('a journal found after its node has expired is counted exactly once', async () => {
  const node = await killNode();
  await letTimePass('12 minutes');
  await expireNodes(createSystemDatabase(database.pool));
  await node.replay();
  expect(await readAmounts()).toEqual({ tokens_per_day: [50, 0], credits: [60, 0] });
  await releaseNodes(database.pool, [node.id]);
  expect(await readAmounts()).toEqual({ tokens_per_day: [50, 0], credits: [60, 0] });
});

it('several nodes expire and are released together', async () => {
  const three = [await killNode(), await killNode(), await killNode()];
  await letTimePass('12 minutes');
  expect((await expireNodes(createSystemDatabase(database.pool))).sort()).toEqual(
    three.map(({ id }) => id).sort(),
  );
  await Promise.all(three.map((node) => node.replay()));
  expect(await readAmounts()).toEqual({ tokens_per_day: [150, 0], credits: [180, 0] });
});

it('deleteOldWindows deletes windows that ended long ago but not those that still count', async () => {
  await killNode();
  await database.pool.query(
    `INSERT INTO allowances (tenant_id, kind, subject_id, window_start, limit_amount, leased)
     SELECT $1, kind, $2, now() - age, 5, leased FROM (VALUES
       ('requests_per_hour', interval '3 days', 0), ('requests_per_hour', interval '4 days', 1),
       ('requests_per_hour', interval '1 hour', 0), ('tokens_per_day', interval '61 days', 0)) AS w (kind, age, leased)`,
    [tenantId, userId],
  );
  await deleteOldWindows(createSystemDatabase(database.pool));
  const { rows } = await database.pool.query(
    'SELECT kind, leased > 0 AS held FROM allowances ORDER BY kind, held',
  );
  expect(rows).toEqual([
    { kind: 'credits', held: true },
    { kind: 'requests_per_hour', held: false },
    { kind: 'requests_per_hour', held: true },
    { kind: 'tokens_per_day', held: true },
  ]);
});
