import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { activeUsers, filledTables, fillTenants } from '#test/database/tenants-at-bounds.ts';
import { isFullSize } from '#test/load/sample.ts';
import { createSnapshot } from './snapshot.ts';
import { mirroredTables } from './tables/all-tables.ts';

const tenants = isFullSize ? 3 : 2;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await fillTenants(database.pool, tenants);
}, 120_000);
afterAll(() => database.close());

interface Page {
  readonly rows: number;
  readonly bytes: number;
  readonly largest: number;
}

let pages: Page[];
/** An exception replaces the database's response. */
let fail: (text: string) => void;
beforeEach(() => {
  pages = [];
  fail = () => undefined;
});

const watched = {
  async query(statement: pg.QueryConfig) {
    fail(statement.text);
    const answer = await database.pool.query(statement);
    const sizes = answer.rows.map((row) => JSON.stringify(row).length);
    if (statement.values?.length)
      pages.push({
        rows: sizes.length,
        bytes: sizes.reduce((sum, size) => sum + size, 0),
        largest: Math.max(0, ...sizes),
      });
    return answer;
  },
  // safe because the snapshot uses no other methods of a pool
} as unknown as pg.Pool;

const load = async () => {
  const snapshot = createSnapshot(watched, () => null);
  await snapshot.load();
  return snapshot;
};

describe('snapshot of tenants at all their bounds', () => {
  it('a snapshot of maximal tenants is read in statements of at most 250 rows and about 1 MB', async () => {
    const snapshot = await load();
    const { rows: bounds } = await database.pool.query<{ name: string; limit: number }>(
      'SELECT table_name AS name, rows_max + rows_per_user * $1::integer AS "limit" FROM stored_bounds',
      [activeUsers],
    );
    for (const [name, table] of Object.entries(mirroredTables)) {
      if (!filledTables.includes(table.name)) continue;
      const owners = table.name === 'sessions' ? tenants * activeUsers : tenants;
      const limit = bounds.find((bound) => bound.name === table.name)?.limit ?? 0;
      // safe because a snapshot has a collection of each of these names
      const { size } = snapshot[name as keyof typeof mirroredTables];
      expect(size, name).toBe(limit * owners);
    }
    expect(Math.max(...pages.map(({ rows }) => rows))).toBeLessThanOrEqual(250);
    const excess = pages.map(({ bytes, largest }) => bytes - largest);
    expect(Math.max(...excess)).toBeLessThan(1024 * 1024);
  });

  it('a snapshot is read although each statement fails twice', async () => {
    const failures = new Map<string, number>();
    fail = (text) => {
      const count = failures.get(text) ?? 0;
      if (count === 2) return;
      failures.set(text, count + 1);
      throw new Error('Query read timeout');
    };
    const { blacklist } = await load();
    expect(blacklist.size).toBeGreaterThan(0);
    expect(failures.size).toBeGreaterThan(20);
  });

  it('a snapshot reports a persistent failure', async () => {
    fail = () => {
      throw new Error('Query read timeout');
    };
    await expect(load()).rejects.toThrow('Query read timeout');
  });
});

it('a snapshot reads a single row of 20 MB, stored before bounds were introduced', async () => {
  const { rows } = await database.pool.query<{ id: number; tenant: number }>(
    'SELECT max(id) AS id, max(tenant_id) AS tenant FROM llm_providers',
  );
  const [{ id, tenant } = { id: 0, tenant: 0 }] = rows;
  await database.pool.query('ALTER TABLE llm_providers DISABLE TRIGGER USER');
  await database.pool.query(
    "UPDATE llm_providers SET model_aliases = (SELECT jsonb_object_agg(n || repeat('a', 200), repeat('m', 200)) FROM generate_series(1, 50000) n) WHERE id = $1",
    [id],
  );
  await database.pool.query('ALTER TABLE llm_providers ENABLE TRIGGER USER');
  const { instances } = await load();
  const row = instances.find(tenant).find((instance) => instance.id === id);
  expect(Object.keys(row?.aliases ?? {})).toHaveLength(50_000);
});
