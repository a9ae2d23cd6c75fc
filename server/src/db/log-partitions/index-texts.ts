import type pg from 'pg';
import { dayPartition } from './day-partition.ts';

/** Returns the partitions of texts before `today` that have no trigram index, oldest first. */
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

/**
 * Returns the day after the last indexed one; searches read no blocks of days before it. `null` if there is no index.
 */
export async function findIndexedBefore(client: pg.ClientBase): Promise<number | null> {
  const { rows } = await client.query<{ day: number | null }>(
    "SELECT (uuid_instant(log_texts_indexed_before()) AT TIME ZONE 'UTC')::date - date '1970-01-01' AS day",
  );
  return rows[0]?.day ?? null;
}

/** Builds the index that `log_texts_indexed_before` looks for, without a timeout and without blocking writes. */
export async function indexTexts(client: pg.ClientBase, table: string): Promise<void> {
  await client.query("SET statement_timeout = 0; SET maintenance_work_mem = '256MB'");
  // An interrupted build leaves an invalid index.
  await client.query(`DROP INDEX IF EXISTS ${table}_text`);
  await client.query(
    `CREATE INDEX CONCURRENTLY ${table}_text ON ${table} USING gin (prompt gin_trgm_ops, response gin_trgm_ops)`,
  );
}
