import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from '#platform/logger.ts';
import { addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { type ChangeFeed, followChanges } from './follow-changes.ts';
import { createSnapshot, type Snapshot } from './snapshot.ts';

const log = createLogger('silent');
const nowhere = 'postgresql://nobody@127.0.0.1:1/none';

let database: TestDatabase;
let snapshot: Snapshot;
let changes: ChangeFeed | undefined;
let isAway = false;
let asked: string[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  isAway = false;
});
afterEach(async () => {
  await changes?.stop();
  await database.close();
});

const follow = async (directConnectionString = database.connectionString) => {
  const query = (statement: pg.QueryConfig | string) => {
    const config = typeof statement === 'string' ? { text: statement } : statement;
    asked.push(config.text);
    return isAway ? Promise.reject(new Error('the database is away')) : database.pool.query(config);
  };
  // safe because the snapshot and its change feed use no other methods of a pool
  const pool = { query } as unknown as TestDatabase['pool'];
  snapshot = createSnapshot(pool, () => null);
  await snapshot.load();
  changes = followChanges({
    snapshot,
    pool,
    isPooled: directConnectionString !== database.connectionString,
    directConnectionString,
    onAnnounced: () => undefined,
    log,
  });
  return changes;
};

const listeners = async () => {
  const { rows } = await database.pool.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'sluice-changes'
       AND query LIKE 'LISTEN%' AND state = 'idle'`,
  );
  return rows.map(({ pid }) => pid);
};
const untilListening = () => expect.poll(listeners, { timeout: 10_000 }).toHaveLength(1);
const untilPolled = async (count: number) => {
  asked = [];
  const countPolls = () => asked.filter((text) => text.includes('UNION ALL')).length;
  await expect.poll(countPolls, { timeout: 10_000 }).toBeGreaterThanOrEqual(count);
};
const rename = (id: number, name: string) =>
  database.pool.query('UPDATE tenants SET name = $2 WHERE id = $1', [id, name]);
const remove = (id: number) => database.pool.query('DELETE FROM tenants WHERE id = $1', [id]);
const nameOf = (id: number) => snapshot.tenants.get(id)?.name;

describe('followChanges with notifications', () => {
  it('followChanges applies inserts, updates and deletes within a second', async () => {
    await follow();
    await untilListening();
    const id = await addTenant(database.pool, 'Acme');
    await expect.poll(() => nameOf(id), { timeout: 1_000 }).toBe('Acme');
    await rename(id, 'Apex');
    await expect.poll(() => nameOf(id), { timeout: 1_000 }).toBe('Apex');
    await remove(id);
    await expect.poll(() => nameOf(id), { timeout: 1_000 }).toBeUndefined();
  });

  it('followChanges applies the final state after a thousand changes in one statement', async () => {
    await follow();
    await untilListening();
    await database.pool.query(
      "INSERT INTO tenants (name, slug) SELECT 'Old', 'slug-' || n FROM generate_series(1, 1000) n",
    );
    await database.pool.query(
      "UPDATE tenants SET name = 'New' WHERE id % 2 = 0; DELETE FROM tenants WHERE id % 5 = 0",
    );
    const { rows } = await database.pool.query<{ id: number; name: string }>('SELECT id, name FROM tenants');
    await expect.poll(() => snapshot.tenants.size, { timeout: 5_000 }).toBe(rows.length);
    await expect
      .poll(() => rows.filter(({ id, name }) => nameOf(id) !== name), { timeout: 5_000 })
      .toEqual([]);
  });

  it('followChanges reconnects a cut listener and applies deletes that it missed', async () => {
    await follow();
    await untilListening();
    const [id, deletedMeanwhile] = [
      await addTenant(database.pool, 'Acme'),
      await addTenant(database.pool, 'Gone'),
    ];
    await expect.poll(() => nameOf(deletedMeanwhile)).toBe('Gone');
    const [pid] = await listeners();
    await database.pool.query('SELECT pg_terminate_backend($1)', [pid]);
    await remove(deletedMeanwhile);
    await expect
      .poll(async () => (await listeners()).filter((one) => one !== pid), { timeout: 10_000 })
      .toHaveLength(1);
    await expect.poll(() => nameOf(deletedMeanwhile), { timeout: 5_000 }).toBeUndefined();
    await remove(id);
    await expect.poll(() => nameOf(id), { timeout: 1_000 }).toBeUndefined();
  });
});

describe('catchUp', () => {
  const addMany = (names: readonly string[]) =>
    database.pool.query(
      'INSERT INTO tenants (name, slug) SELECT name, name FROM unnest($1::text[]) name RETURNING id',
      [names],
    );

  it('catchUp resolves after everything committed before has been applied, including deletes', async () => {
    const feed = await follow();
    await untilListening();
    for (let round = 0; round < 30; round++) {
      const { rows } = await addMany(['a', 'b', 'c'].map((name) => `${name}${round}`));
      await feed.catchUp();
      expect(rows.map(({ id }) => nameOf(id))).toEqual([`a${round}`, `b${round}`, `c${round}`]);
      await remove(rows[0].id);
      await feed.catchUp();
      expect(nameOf(rows[0].id)).toBeUndefined();
    }
  });

  it('catchUp applies inserts and updates without notifications too', async () => {
    const feed = await follow(nowhere);
    const { rows } = await addMany(['a']);
    await feed.catchUp();
    expect(nameOf(rows[0].id)).toBe('a');
    await rename(rows[0].id, 'b');
    await feed.catchUp();
    expect(nameOf(rows[0].id)).toBe('b');
  });

  it('catchUp rejects if the database is unavailable', async () => {
    const feed = await follow(nowhere);
    isAway = true;
    await expect(feed.catchUp()).rejects.toThrow('the database is away');
  });
});

describe('followChanges without notifications', () => {
  it('followChanges polls for inserts and updates without notifications', async () => {
    await follow(nowhere);
    const id = await addTenant(database.pool, 'Acme');
    await expect.poll(() => nameOf(id), { timeout: 5_000 }).toBe('Acme');
    await rename(id, 'Apex');
    await expect.poll(() => nameOf(id), { timeout: 5_000 }).toBe('Apex');
  });

  it('followChanges reads a change once, although later polls return it again', async () => {
    await follow(nowhere);
    const id = await addTenant(database.pool, 'Acme');
    await expect.poll(() => nameOf(id), { timeout: 5_000 }).toBe('Acme');
    await untilPolled(4);
    expect(asked.filter((text) => text.includes('ANY('))).toEqual([]);
  });

  it('followChanges soon applies deletes without notifications', async () => {
    await follow(nowhere);
    const id = await addTenant(database.pool, 'Acme');
    await expect.poll(() => nameOf(id), { timeout: 5_000 }).toBe('Acme');
    await remove(id);
    await expect.poll(() => nameOf(id), { timeout: 5_000 }).toBeUndefined();
  });

  it('followChanges without notifications applies a row that is committed several polls after it was written', async () => {
    await follow(nowhere);
    const late = await database.pool.connect();
    await late.query('BEGIN');
    const { rows } = await late.query(
      "INSERT INTO tenants (name, slug) VALUES ('Late', 'late') RETURNING id",
    );
    const early = await addTenant(database.pool, 'Early');
    await expect.poll(() => nameOf(early), { timeout: 5_000 }).toBe('Early');
    await untilPolled(3);
    await late.query('COMMIT');
    late.release();
    await expect.poll(() => nameOf(rows[0].id), { timeout: 5_000 }).toBe('Late');
  });
});

it('followChanges reports the node unready while the database is unavailable, and ready after it recovers', async () => {
  const feed = await follow(nowhere);
  expect(feed.unreadiness()).toBeNull();
  isAway = true;
  await expect.poll(() => feed.unreadiness(), { timeout: 5_000 }).toBe('database_unreachable');
  expect(feed.isFresh()).toBe(true);
  isAway = false;
  await expect.poll(() => feed.unreadiness(), { timeout: 5_000 }).toBeNull();
});

it('followChanges continues after a change that cannot be read', async () => {
  await follow();
  await untilListening();
  await database.pool.query(
    "SELECT pg_notify('sluice_changes', 'tenants:not-a-number'), pg_notify('sluice_changes', 'nothing')",
  );
  const id = await addTenant(database.pool, 'Acme');
  await expect.poll(() => nameOf(id), { timeout: 2_000 }).toBe('Acme');
});
