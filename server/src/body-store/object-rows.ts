import { type SQL, sql } from 'drizzle-orm';
import type { SystemDatabase } from '#db/system.ts';

export interface BodyObject {
  readonly id: string;
  readonly file: string;
  readonly bytes: number;
  readonly indexOffset: number;
  /** Timestamp that changes with each new file and with each batch that uses the object. */
  readonly begunAt: string;
}

/** Age before which objects are skipped, since another process may still be writing them. */
const settledAfter = sql`interval '1 hour'`;
/** Time for which an object is checked, since a deletion may remove its rows some time after marking the object. */
const checkedFor = sql`interval '3 days'`;

/**
 * Time for which a replaced file is kept. A promoted standby may lack the last minutes of changes and still refer to
 * the file.
 */
const replacedFor = sql`interval '1 hour'`;

/** Marks objects for a check because rows of their texts have been or will be deleted. */
export async function scheduleChecks(tx: SystemDatabase, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(
    sql`UPDATE body_objects SET check_until = now() + ${checkedFor} WHERE id = ANY (${`{${ids.join()}}`}::uuid[])`,
  );
}

/** Returns objects with a higher id than the given one, ordered by id. */
export async function selectToCheck(
  database: SystemDatabase,
  after: string,
  limit: number,
): Promise<BodyObject[]> {
  const { rows } = await database.execute<Record<string, unknown> & BodyObject>(sql`
    SELECT id, file, bytes, index_offset AS "indexOffset", begun_at::text AS "begunAt" FROM body_objects
    WHERE check_until IS NOT NULL AND is_used AND begun_at < now() - ${settledAfter} AND id > ${after}
    ORDER BY id LIMIT ${limit}`);
  return rows;
}

export async function endCheck(database: SystemDatabase, { id }: BodyObject): Promise<void> {
  await database.execute(
    sql`UPDATE body_objects SET check_until = NULL WHERE id = ${id} AND check_until < now()`,
  );
}

/** Deletes the objects' rows and schedules the deletion of their files. Returns the number of objects. */
async function discard(database: SystemDatabase, condition: SQL): Promise<number> {
  const { rowCount } = await database.execute(sql`
    WITH gone AS (DELETE FROM body_objects WHERE ${condition} RETURNING file)
    INSERT INTO obsolete_body_files (file) SELECT file FROM gone ON CONFLICT (file) DO UPDATE SET delete_after = now()`);
  return rowCount ?? 0;
}

const isUnchanged = ({ id, file, begunAt }: BodyObject) =>
  sql`id = ${id} AND file = ${file} AND begun_at = ${begunAt}::timestamptz`;

/** Discards an object without rows for its texts, unless the object has changed. */
export const discardObject = (database: SystemDatabase, object: BodyObject): Promise<number> =>
  discard(database, isUnchanged(object));

/** Discards objects whose batch was never booked. */
export const discardUnused = (database: SystemDatabase): Promise<number> =>
  discard(database, sql`NOT is_used AND begun_at < now() - interval '1 day'`);

/** Expiry times per tenant. Texts before them are expired. */
export type Cutoffs = readonly { readonly tenantId: number; readonly before: Date }[];

/**
 * Discards objects that contain only expired texts. Marks objects for a check that contain some expired texts. Texts
 * of deleted tenants are always expired.
 */
export async function discardExpired(database: SystemDatabase, cutoffs: Cutoffs): Promise<number> {
  const latest = new Date(Math.max(...cutoffs.map(({ before }) => before.getTime()))).toISOString();
  const kept = sql`(SELECT "tenantId", before FROM jsonb_to_recordset(${JSON.stringify(cutoffs)}::jsonb)
    AS ("tenantId" integer, before timestamptz)) kept`;
  const isOld = sql`is_used AND id < uuid_floor(${latest}::timestamptz)`;
  const count = await discard(
    database,
    sql`${isOld} AND NOT EXISTS (SELECT FROM ${kept} WHERE "tenantId" = ANY (tenants) AND last_at >= before)`,
  );
  await database.execute(sql`
    UPDATE body_objects SET check_until = now() WHERE ${isOld} AND check_until IS NULL
      AND EXISTS (SELECT FROM unnest(tenants) tenant LEFT JOIN ${kept} ON "tenantId" = tenant
        WHERE before IS NULL OR id < uuid_floor(before))`);
  return count;
}

/** Records a file before it is written. The file is later deleted unless an object uses it. */
export async function announceFile(database: SystemDatabase, file: string): Promise<void> {
  await database.execute(
    sql`INSERT INTO obsolete_body_files (file, delete_after) VALUES (${file}, now() + interval '1 day')`,
  );
}

export interface NewFile {
  readonly file: string;
  readonly bytes: number;
  readonly indexOffset: number;
  readonly tenants: readonly number[];
  /** Additional ranges of the first file that are missing in this file, as a multirange. */
  readonly removed: string;
}

/**
 * Schedules the deletion of the previous file. Returns `false` if the object has changed or the new file is obsolete.
 */
export function replaceFile(database: SystemDatabase, object: BodyObject, next: NewFile): Promise<boolean> {
  return database.transaction(async (tx) => {
    const { rowCount: announced } = await tx.execute(
      sql`DELETE FROM obsolete_body_files WHERE file = ${next.file}`,
    );
    if (announced !== 1) return false;
    const { rowCount } = await tx.execute(sql`
      UPDATE body_objects SET file = ${next.file}, bytes = ${next.bytes}, index_offset = ${next.indexOffset},
        tenants = ${`{${next.tenants.join()}}`}, removed = removed + ${next.removed}::int4multirange, begun_at = clock_timestamp()
      WHERE ${isUnchanged(object)}`);
    const isReplaced = rowCount === 1;
    const [obsolete, after] = isReplaced ? [object.file, replacedFor] : [next.file, sql`interval '0'`];
    await tx.execute(
      sql`INSERT INTO obsolete_body_files (file, delete_after) VALUES (${obsolete}, now() + ${after})`,
    );
    return isReplaced;
  });
}

/** Deletes due files with `remove`, and then their rows. Returns the number of files. */
export async function deleteFiles(
  database: SystemDatabase,
  remove: (file: string) => Promise<void>,
  limit: number,
): Promise<number> {
  return database.transaction(async (tx) => {
    const { rows } = await tx.execute<{ file: string }>(sql`
      SELECT file FROM obsolete_body_files WHERE delete_after <= now() LIMIT ${limit} FOR UPDATE SKIP LOCKED`);
    await Promise.all(rows.map(({ file }) => remove(file)));
    await tx.execute(
      sql`DELETE FROM obsolete_body_files WHERE file = ANY (${`{${rows.map(({ file }) => file).join()}}`}::text[])`,
    );
    return rows.length;
  });
}
