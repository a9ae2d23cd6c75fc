import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { takeSecondConnections } from '#test/database/refuse-second-connections.ts';
import { createPool } from './pool.ts';
import { createSystemDatabase } from './system.ts';
import { createRunInTenant } from './tenant.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const one = sql`SELECT 1`;

it.each([
  ['a plain pool', false],
  ['a fair pool', true],
])('a second connection of %s inside a transaction is rejected and recorded in tests', async (_, isFair) => {
  const pool = createPool(database.connectionString, 2, 'sluice-test', { isFair });
  const system = createSystemDatabase(pool);
  const runInTenant = createRunInTenant(pool, postgresRequestLog.openTenant);
  const second = [
    () => system.execute(one),
    () => system.transaction((tx) => tx.execute(one)),
    () => runInTenant(1, (tx) => tx.execute(one)),
    () => pool.query('SELECT 1'),
  ];
  for (const hold of [
    system.transaction,
    createRunInTenant(pool, postgresRequestLog.openTenant).bind(null, 1),
  ])
    for (const ask of second) await expect(hold(async () => void (await ask()))).rejects.toThrow();
  expect(takeSecondConnections()).toHaveLength(8);
  await pool.end();
});

it('work that outlives its transaction may use another connection', async () => {
  const system = createSystemDatabase(database.pool);
  const { promise, resolve } = Promise.withResolvers<void>();
  const { later } = await system.transaction(async () => ({
    later: promise.then(() => system.execute(one)),
  }));
  resolve();
  expect((await later).rowCount).toBe(1);
});
