import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createPool, type PoolOptions } from './pool.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const open = (options: PoolOptions) => createPool(database.connectionString, 1, 'sluice-test', options);

it.each([
  [{ hasPreparedStatements: true }, 1],
  [{ hasPreparedStatements: true, isPooled: true }, 0],
  [{}, 0],
])('a pool with %j prepares %i of its statements', async (options, prepared) => {
  const pool = open(options);
  for (const value of [1, 2])
    expect((await pool.query('SELECT $1::integer AS value', [value])).rows).toEqual([{ value }]);
  expect((await pool.query('SELECT statement FROM pg_prepared_statements')).rows).toHaveLength(prepared);
  await pool.end();
});

it('a pool replaces a connection if the columns of its prepared statement have changed', async () => {
  const pool = open({ hasPreparedStatements: true });
  await pool.query('CREATE TABLE grown (one integer)');
  const read = () => pool.query('SELECT * FROM grown WHERE one > $1', [0]);
  await read();
  await pool.query('ALTER TABLE grown ADD COLUMN two integer');
  await expect(read()).rejects.toThrow('cached plan must not change result type');
  await expect.poll(async () => (await read()).fields.map(({ name }) => name)).toEqual(['one', 'two']);
  await pool.end();
});
