import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import * as copy from './binary-copy.ts';
import { withConnection } from './held-connection.ts';
import { createPool } from './pool.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

function storing<Value>(
  type: copy.ColumnType<Value>,
  values: readonly Value[],
  literals = values.map(String),
) {
  const rows = [...values, null].map((value, place) => ({ place, value }));
  const columns: copy.CopyColumn<(typeof rows)[number]>[] = [
    copy.column('place', copy.integer, ({ place }) => place),
    copy.column('value', type, ({ value }) => value),
  ];
  const table = `copied_${type.name.replace('[]', 's')}`;
  const insert = (client: pg.ClientBase) => copy.copyRows(client, table, columns, rows);
  return { type: type.name, table, insert, literals: [...literals, null] };
}

const moment = '2026-11-20T10:00:00.250Z';

describe('copyRows', () => {
  it.each([
    storing(copy.boolean, [true, false]),
    storing(copy.smallint, [-32_768, 32_767]),
    storing(copy.integer, [-2_147_483_648, 2_147_483_647]),
    storing(copy.bigint, [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n]),
    storing(copy.real, [0.1, -12.346]),
    storing(copy.float8, [0.1, -1e300]),
    storing(copy.timestamptz, [0, Date.parse(moment)], ['1970-01-01T00:00:00Z', moment]),
    storing(copy.uuid, ['019aa0c6-4d5e-7b8a-9c0d-e1f203142536']),
    storing(copy.bytea, ['', '00ff5c27'], ['\\x', '\\x00ff5c27']),
    storing(copy.text, ['', 'NULL', '{"a",\\b}', 'Grüße 👋 世界']),
    storing(copy.jsonb, ['{}', '[1, {"name": "日本"}]']),
    storing(copy.arrayOf(copy.integer, 1007), [[1, -2, 3], []], ['{1,-2,3}', '{}']),
    storing(
      copy.arrayOf(copy.uuid, 2951),
      [['019aa0c6-4d5e-7b8a-9c0d-e1f203142536']],
      ['{019aa0c6-4d5e-7b8a-9c0d-e1f203142536}'],
    ),
  ])('copyRows stores $type as SQL would, and null as NULL', async ({ type, table, insert, literals }) => {
    await database.pool.query(`CREATE TABLE ${table} (place integer, value ${type})`);
    await withConnection(database.pool, insert);
    const { rows } = await database.pool.query(
      `SELECT value IS NOT DISTINCT FROM ($1::text[])[place + 1]::${type} AS "isSame" FROM ${table}`,
      [literals],
    );
    expect(rows).toEqual(literals.map(() => ({ isSame: true })));
  });

  it('copyRows rejects a value that its column cannot store and sends no rows', async () => {
    const columns = [copy.column('status', copy.smallint, (status: number) => status)];
    await database.pool.query('CREATE TABLE statuses (status smallint)');
    const insert = (client: pg.ClientBase) => copy.copyRows(client, 'statuses', columns, [200, 70_000]);
    await expect(withConnection(database.pool, insert)).rejects.toThrow(copy.UnstorableValueError);
    expect((await database.pool.query('SELECT FROM statuses')).rowCount).toBe(0);
  });

  it('copyRows writes 1,002 rows of up to 9,000,000 characters in their order', async () => {
    const texts = ['', 'x'.repeat(9_000_000), ...Array.from({ length: 1_000 }, (_, index) => `row ${index}`)];
    const columns = [copy.column('text', copy.text, (text: string) => text)];
    await database.pool.query('CREATE TABLE texts (place integer GENERATED ALWAYS AS IDENTITY, text text)');
    await withConnection(database.pool, (client) => copy.copyRows(client, 'texts', columns, texts));
    const { rows } = await database.pool.query<{ text: string }>('SELECT text FROM texts ORDER BY place');
    expect(rows.map(({ text }) => text)).toEqual(texts);
  });

  it.each([{ hasPreparedStatements: true }, { hasPreparedStatements: true, isPooled: true }])(
    'copyRows works on a pooled connection with %j and leaves no query timeout timer',
    async (options) => {
      const pool = createPool(database.connectionString, 1, 'sluice-test', options);
      onTestFinished(() => pool.end());
      const columns = [copy.column('number', copy.integer, (number: number) => number)];
      await pool.query('CREATE TABLE IF NOT EXISTS numbers (number integer)');
      const client = await pool.connect();
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      onTestFinished(() => void vi.useRealTimers());
      await copy.copyRows(client, 'numbers', columns, [1, 2]);
      await expect(copy.copyRows(client, 'missing', columns, [1])).rejects.toThrow('does not exist');
      expect(vi.getTimerCount()).toBe(0);
      vi.useRealTimers();
      client.release();
      expect((await pool.query('DELETE FROM numbers')).rowCount).toBe(2);
    },
  );
});
