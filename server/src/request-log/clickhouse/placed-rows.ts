import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import * as inPostgres from '../postgres/placed-rows.ts';
import type { ClickhouseConnection } from './connection.ts';
import { toRowId, toUuid } from './row-id.ts';

/** Includes rows that PostgreSQL has from before. */
export async function listObjectsOfUser(
  connection: ClickhouseConnection,
  database: NodePgDatabase,
  user: { readonly tenantId: number; readonly userId: number },
): Promise<string[]> {
  const rows = await connection.read<{ object: string }>(
    `SELECT DISTINCT assumeNotNull(body_object) AS object FROM request_logs
     WHERE tenant_id = {tenant:Int32} AND user_id = {user:Int32} AND body_object IS NOT NULL`,
    { params: { tenant: user.tenantId, user: user.userId } },
  );
  return [...(await inPostgres.listObjectsOfUser(database, user)), ...rows.map(({ object }) => object)];
}

/** Includes rows that PostgreSQL has from before. */
export async function findPlaced(
  connection: ClickhouseConnection,
  database: NodePgDatabase,
  object: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await connection.read<{ id: string }>(
    'SELECT id FROM request_logs WHERE id IN {ids:Array(UInt128)} AND body_object = {object:String}',
    { params: { ids: ids.map(toRowId), object } },
  );
  return [...(await inPostgres.findPlaced(database, object, ids)), ...rows.map(({ id }) => toUuid(id))];
}

/** Includes rows that PostgreSQL has from before. */
export async function findExisting(
  connection: ClickhouseConnection,
  database: NodePgDatabase,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await connection.read<{ id: string }>(
    'SELECT DISTINCT id FROM request_logs WHERE id IN {ids:Array(UInt128)}',
    { params: { ids: ids.map(toRowId) } },
  );
  return [...(await inPostgres.findExisting(database, ids)), ...rows.map(({ id }) => toUuid(id))];
}
