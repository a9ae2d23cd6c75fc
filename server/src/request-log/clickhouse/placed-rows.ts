import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import * as inPostgres from '../postgres/placed-rows.ts';
import type { IdRange } from '../request-log.ts';
import type { ClickhouseConnection } from './connection.ts';
import { onAllReplicas } from './log-tables.ts';
import { toUuid } from './row-id.ts';
import { isOneOfIds, selectExisting, syncReplicas } from './settle-inserts.ts';

/**
 * Reads PostgreSQL first, because a move to ClickHouse inserts rows into ClickHouse before it deletes them from
 * PostgreSQL.
 */
export async function listObjectsOfUser(
  connection: ClickhouseConnection,
  database: NodePgDatabase,
  user: { readonly tenantId: number; readonly userId: number },
): Promise<string[]> {
  const former = await inPostgres.listObjectsOfUser(database, user);
  const rows = await connection.read<{ object: string }>(
    `SELECT DISTINCT assumeNotNull(body_object) AS object FROM ${onAllReplicas(connection.tables)}
     WHERE tenant_id = {tenant:Int32} AND user_id = {user:Int32} AND body_object IS NOT NULL`,
    { params: { tenant: user.tenantId, user: user.userId } },
  );
  return [...former, ...rows.map(({ object }) => object)];
}

/** Reads PostgreSQL before and after ClickHouse, so that a row is found while it moves in either direction. */
export async function findPlaced(
  connection: ClickhouseConnection,
  database: NodePgDatabase,
  object: string,
  ids: readonly string[],
): Promise<string[]> {
  const found = new Set<string>();
  const inClickhouse = (missing: readonly string[]) => selectPlaced(connection, object, missing);
  const former = (missing: readonly string[]) => inPostgres.selectPlaced(database, object, missing);
  for (const select of [former, inClickhouse, former]) {
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length > 0) for (const id of await select(missing)) found.add(id);
  }
  return [...found];
}

async function selectPlaced({ read, tables }: ClickhouseConnection, object: string, ids: readonly string[]) {
  const { isOne, params } = isOneOfIds(ids);
  const rows = await read<{ id: string }>(
    `SELECT id FROM ${onAllReplicas(tables)} WHERE ${isOne} AND body_object = {object:String}`,
    { params: { ...params, object } },
  );
  return rows.map(({ id }) => toUuid(id));
}

/**
 * Reads PostgreSQL first, because a move to ClickHouse inserts rows into ClickHouse before it deletes them from
 * PostgreSQL.
 */
export async function findExisting(
  connection: ClickhouseConnection,
  database: NodePgDatabase,
  ids: readonly string[],
): Promise<string[]> {
  const former = await inPostgres.findExisting(database, ids);
  return [...new Set([...former, ...(await selectExisting(connection, ids))])];
}

const comparedRows = 1_000;

/**
 * Whether ClickHouse has every row of the range that exists in PostgreSQL. First waits until all available replicas
 * have the same rows.
 */
export async function hasAllRows(
  connection: ClickhouseConnection,
  database: NodePgDatabase,
  { first, end }: IdRange,
): Promise<boolean> {
  await syncReplicas(connection);
  for (let from = sql`id >= ${first}`; ; ) {
    const { rows } = await database.execute<{ id: string }>(
      sql`SELECT id FROM request_logs WHERE ${from} AND id < ${end} ORDER BY id LIMIT ${comparedRows}`,
    );
    const ids = rows.map(({ id }) => id);
    if ((await selectExisting(connection, ids)).length < ids.length) return false;
    if (ids.length < comparedRows) return true;
    from = sql`id > ${ids.at(-1)}`;
  }
}
