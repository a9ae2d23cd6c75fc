import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';

export async function listObjectsOfUser(
  database: NodePgDatabase,
  { tenantId, userId }: { readonly tenantId: number; readonly userId: number },
): Promise<string[]> {
  const { rows } = await database.execute<{ object: string }>(sql`
    SELECT DISTINCT body_object AS object FROM request_log_bodies b JOIN request_logs l USING (id)
    WHERE l.tenant_id = ${tenantId} AND l.user_id = ${userId} AND b.tenant_id = ${tenantId} AND body_object IS NOT NULL`);
  return rows.map(({ object }) => object);
}

/** Returns the subset of ids whose texts are in the object, according to PostgreSQL only. */
export async function selectPlaced(
  database: NodePgDatabase,
  object: string,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await database.execute<{ id: string }>(sql`
    SELECT id FROM request_log_bodies WHERE id = ANY (${`{${ids.join()}}`}::uuid[]) AND body_object = ${object}`);
  return rows.map(({ id }) => id);
}

/** Reads the rows first, because a move records the use of ClickHouse before it deletes rows. */
export async function findPlaced(
  database: NodePgDatabase,
  object: string,
  ids: readonly string[],
): Promise<string[] | null> {
  const placed = await selectPlaced(database, object, ids);
  return (await hasAllRows(database)) ? placed : null;
}

/** Whether ClickHouse has no rows that are missing in PostgreSQL. */
export async function hasAllRows(database: NodePgDatabase): Promise<boolean> {
  const { rows } = await database.execute(sql`SELECT FROM clickhouse_log`);
  return rows.length === 0;
}

export async function findExisting(database: NodePgDatabase, ids: readonly string[]): Promise<string[]> {
  const { rows } = await database.execute<{ id: string }>(
    sql`SELECT id FROM request_logs WHERE id = ANY (${`{${ids.join()}}`}::uuid[])`,
  );
  return rows.map(({ id }) => id);
}
