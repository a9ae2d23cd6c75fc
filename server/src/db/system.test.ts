import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createPool } from './pool.ts';
import { createSystemDatabase } from './system.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

describe.each([{ isPooled: false }, { isPooled: true }])(
  'a system transaction ($isPooled)',
  ({ isPooled }) => {
    it('a system transaction releases its connection if the database fails before BEGIN', async () => {
      const pool = createPool(database.connectionString, 1, 'sluice-console', { isPooled });
      const system = createSystemDatabase(pool);
      for (let time = 0; time < 3; time++) {
        const lost = await pool.connect();
        lost.release();
        lost.connection.stream.destroy();
        await expect(system.transaction(async (tx) => tx.execute(sql`SELECT 1`))).rejects.toThrow();
      }
      expect(await system.transaction(async (tx) => (await tx.execute(sql`SELECT 1 AS one`)).rows)).toEqual([
        { one: 1 },
      ]);
      await pool.end();
    });

    it('a system transaction rejects with the cause of the failure', async () => {
      const pool = createPool(database.connectionString, 1, 'sluice-console', { isPooled });
      const system = createSystemDatabase(pool);
      const refused = system.transaction(async (tx) => tx.execute(sql`SELECT 1 / 0`));
      await expect(refused).rejects.toMatchObject({ cause: { message: 'division by zero' } });
      await pool.end();
    });
  },
);
