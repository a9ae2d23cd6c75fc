import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'docs/operating/retention.md'), 'utf8');

/** Rows of both tables of the document: table names and the adjacent cell. */
const rows = [...text.matchAll(/^\| ((?:`[a-z_]+`(?:, )?)+) \| (.*) \|$/gm)].map(
  ([, names = '', cell = '']) => ({
    names: [...names.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name),
    cell,
  }),
);
const deleted = rows.filter(({ cell }) => cell.startsWith('`server/'));

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

it('docs/operating/retention.md lists every table once', async () => {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
  );
  const listed = rows.flatMap(({ names }) => names);
  expect(listed.toSorted()).toEqual(tables.map(({ name }) => name).toSorted());
});

it('each module that docs/operating/retention.md names for a table contains the name of the table', () => {
  expect(deleted.length).toBeGreaterThan(10);
  for (const { names, cell } of deleted) {
    const paths = [...cell.matchAll(/`(server\/[\w/.-]+)`/g)].map(([, path = '']) => path);
    const source = paths.map((path) => readFileSync(join(root, path), 'utf8')).join('\n');
    for (const name of names) {
      const camelCase = name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
      expect(
        [name, camelCase].some((word) => source.includes(word)),
        `${name} in ${cell}`,
      ).toBe(true);
    }
  }
});
