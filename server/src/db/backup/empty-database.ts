import type pg from 'pg';
import { quoteName } from './tables.ts';

/** Table that marks a database with an unfinished restore. Nodes do not start on such a database. */
export const restoreMark = 'sluice_restore';

export type Contents = 'nothing' | 'broken restore' | 'Sluice' | 'something else';

export async function findContents(client: pg.Client): Promise<Contents> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')",
  );
  const names = new Set(rows.map(({ name }) => name));
  if (names.has(restoreMark)) return 'broken restore';
  if (names.size === 0) return 'nothing';
  if (!names.has('schema_migrations')) return 'something else';
  if (!names.has('installation')) return 'nothing';
  const { rowCount } = await client.query('SELECT FROM installation');
  return rowCount === 0 ? 'nothing' : 'Sluice';
}

/** Returns the number of sessions that running nodes have open. Sessions are recognized by their application name. */
export async function countNodes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: string }>(
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND application_name LIKE 'sluice-%' AND application_name NOT IN ('sluice-cli', 'sluice-backup')`,
  );
  return Number(rows[0]?.count);
}

/**
 * Drops all objects of Sluice table by table, because the locks that a single transaction can hold do not suffice for
 * all partitions. Sets the restore mark first, so that no node uses a partially emptied database.
 */
export async function emptyDatabase(client: pg.Client): Promise<void> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS ${restoreMark} (begun_at timestamptz NOT NULL DEFAULT now())`,
  );
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
       AND c.relname <> $1 ORDER BY c.relispartition DESC`,
    [restoreMark],
  );
  for (const { name } of tables) await client.query(`DROP TABLE IF EXISTS ${quoteName(name)} CASCADE`);
  const { rows: routines } = await client.query<{ name: string }>(
    `SELECT p.oid::regprocedure::text AS name FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')`,
  );
  for (const { name } of routines) await client.query(`DROP ROUTINE IF EXISTS ${name} CASCADE`);
}
