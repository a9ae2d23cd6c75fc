import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import * as bulk from './bulk-insert.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

/** Returns a table and a statement that inserts values and a NULL of a type, and the values as SQL literals. */
function storing<Value>(
  type: bulk.ColumnType<Value>,
  values: readonly Value[],
  literals = values.map(String),
) {
  const rows = [...values, null].map((value, place) => ({ place, value }));
  const columns: bulk.BulkColumn<(typeof rows)[number]>[] = [
    bulk.column('place', bulk.integer, ({ place }) => place),
    bulk.column('value', type, ({ value }) => value),
  ];
  const table = `bulk_${type.name}`;
  const insert = {
    text: bulk.insertStatement(table, columns),
    values: bulk.encodeRows(columns, rows),
  };
  return { type: type.name, table, insert, literals: [...literals, null] };
}

const moment = '2026-11-20T10:00:00.250Z';

describe('bulk insert', () => {
  it.each([
    storing(bulk.boolean, [true, false]),
    storing(bulk.smallint, [-32_768, 32_767]),
    storing(bulk.integer, [-2_147_483_648, 2_147_483_647]),
    storing(bulk.bigint, [-9_223_372_036_854_775_808n, 9_223_372_036_854_775_807n]),
    storing(bulk.real, [0.1, -12.346]),
    storing(bulk.float8, [0.1, -1e300]),
    storing(bulk.timestamptz, [0, Date.parse(moment)], ['1970-01-01T00:00:00Z', moment]),
    storing(bulk.uuid, ['019aa0c6-4d5e-7b8a-9c0d-e1f203142536']),
    storing(bulk.bytea, ['', '00ff5c27'], ['\\x', '\\x00ff5c27']),
    storing(bulk.text, ['', 'NULL', '{"a",\\b}', 'Grüße 👋 世界']),
    storing(bulk.jsonb, ['{}', '[1, {"name": "日本"}]']),
  ])('encodeRows stores $type as SQL would, and null as NULL', async ({ type, table, insert, literals }) => {
    await database.pool.query(`CREATE TABLE ${table} (place integer, value ${type})`);
    await database.pool.query(insert);
    const { rows } = await database.pool.query(
      `SELECT value IS NOT DISTINCT FROM ($1::text[])[place + 1]::${type} AS "isSame" FROM ${table}`,
      [literals],
    );
    expect(rows).toEqual(literals.map(() => ({ isSame: true })));
  });

  it('encodeRows rejects a value that its column cannot hold', () => {
    const columns = [bulk.column('status', bulk.smallint, (status: number) => status)];
    expect(() => bulk.encodeRows(columns, [70_000])).toThrow(bulk.UnstorableValueError);
  });
});
