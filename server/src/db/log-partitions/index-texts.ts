import type pg from 'pg';
import { dayPartition } from './day-partition.ts';

/** The partitions of texts of days before this one that have no index of words, oldest first. */
export async function listUnindexed(client: pg.ClientBase, today: number): Promise<string[]> {
  const { table } = dayPartition('request_log_bodies', today);
  const { rows } = await client.query<{ table: string }>(unindexed, [table]);
  return rows.map(({ table }) => table);
}

const unindexed = `SELECT day.relname AS "table" FROM pg_inherits JOIN pg_class day ON day.oid = inhrelid
  WHERE inhparent = 'request_log_bodies'::regclass AND day.relname ~ '_[0-9]{8}$' AND day.relname < $1
    AND NOT EXISTS (SELECT FROM pg_index JOIN pg_class index ON index.oid = indexrelid
      WHERE indrelid = day.oid AND indisvalid AND index.relname = day.relname || '_text')
  ORDER BY 1`;

/** The first day behind the last one that has its index: no search reads blocks of days before; `null` where none has. */
export async function findIndexedBefore(client: pg.ClientBase): Promise<number | null> {
  const { rows } = await client.query<{ day: number | null }>(
    "SELECT (uuid_instant(log_texts_indexed_before()) AT TIME ZONE 'UTC')::date - date '1970-01-01' AS day",
  );
  return rows[0]?.day ?? null;
}

/** Builds the index that `log_texts_indexed_before` looks for, as long as it takes, while others go on writing. */
export async function indexTexts(client: pg.ClientBase, table: string): Promise<void> {
  await client.query("SET statement_timeout = 0; SET maintenance_work_mem = '256MB'");
  // What was left by a build that did not end is not valid.
  await client.query(`DROP INDEX IF EXISTS ${table}_text`);
  await client.query(
    `CREATE INDEX CONCURRENTLY ${table}_text ON ${table} USING gin (prompt gin_trgm_ops, response gin_trgm_ops)`,
  );
}
