import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '../system.ts';
import { attachDay, createDayTable, dayOfId, dayPartition, defaultOf } from './day-partition.ts';

interface StrayMove {
  /** Last copied id; `null` if no rows are copied yet. */
  readonly copiedTo: string | null;
  /** Days whose tables will become partitions. */
  readonly days: readonly number[];
}

export async function findMove(tx: SystemDatabase, parent: string): Promise<StrayMove | undefined> {
  const { rows } = await tx.execute<{ copiedTo: string | null; days: number[] }>(
    sql`SELECT copied_to AS "copiedTo", days FROM stray_moves WHERE parent = ${parent}`,
  );
  return rows[0];
}

/** Waits for writes in progress, then starts to record writes to the default partition. */
export async function beginMove(tx: SystemDatabase, parent: string): Promise<void> {
  await tx.execute(
    sql.raw(`CREATE TRIGGER note_stray_change AFTER INSERT OR UPDATE OR DELETE ON ${defaultOf(parent)}
      FOR EACH ROW EXECUTE FUNCTION note_stray_change('${parent}')`),
  );
  await tx.execute(sql`INSERT INTO stray_moves (parent) VALUES (${parent})`);
}

/**
 * Runs one step of a move. The first steps copy rows to tables of their days while queries use the originals. The
 * next steps copy rows written in the meantime. The last step replaces the default partition with these tables, which
 * takes milliseconds.
 */
export async function continueMove(
  tx: SystemDatabase,
  parent: string,
  { copiedTo }: StrayMove,
  batchRows: number,
): Promise<void> {
  const next = await findNext(tx, parent, copiedTo);
  if (next !== undefined) return copyBatch(tx, parent, next, batchRows);
  const copied = await copyChanges(tx, parent, batchRows);
  if (copied < batchRows) await swap(tx, parent);
}

/** Discards the copies. The default partition still contains all of its rows. */
export async function abandonMove(tx: SystemDatabase, parent: string): Promise<void> {
  const move = await findMove(tx, parent);
  if (!move) return;
  await tx.execute(sql.raw(`DROP TRIGGER note_stray_change ON ${defaultOf(parent)}`));
  for (const day of move.days) await tx.execute(sql.raw(`DROP TABLE ${dayPartition(parent, day).table}`));
  await forget(tx, parent);
}

async function findNext(
  tx: SystemDatabase,
  parent: string,
  after: string | null,
): Promise<string | undefined> {
  const rest = after === null ? sql`true` : sql`id > ${after}::uuid`;
  const { rows } = await tx.execute<{ id: string }>(
    sql`SELECT id FROM ${sql.raw(defaultOf(parent))} WHERE ${rest} ORDER BY id LIMIT 1`,
  );
  return rows[0]?.id;
}

async function copyBatch(tx: SystemDatabase, parent: string, next: string, batchRows: number): Promise<void> {
  const { table, to } = await prepareDay(tx, parent, dayOfId(next));
  await tx.execute(
    sql`WITH copied AS (
        INSERT INTO ${sql.raw(table)} SELECT * FROM ${sql.raw(defaultOf(parent))}
        WHERE id >= ${next}::uuid AND id < ${to}::uuid ORDER BY id LIMIT ${batchRows} RETURNING id
      )
      UPDATE stray_moves SET copied_to = (SELECT id FROM copied ORDER BY id DESC LIMIT 1) WHERE parent = ${parent}`,
  );
}

async function copyChanges(tx: SystemDatabase, parent: string, most: number | null): Promise<number> {
  const { rows } = await tx.execute<{ id: string }>(
    sql`DELETE FROM stray_changes WHERE ctid IN (SELECT ctid FROM stray_changes WHERE parent = ${parent} LIMIT ${most}) RETURNING id`,
  );
  for (const [day, changes] of Map.groupBy(rows, ({ id }) => dayOfId(id))) {
    const { table } = await prepareDay(tx, parent, day);
    const ids = sql`SELECT unnest(${`{${changes.map(({ id }) => id).join()}}`}::uuid[])`;
    await tx.execute(sql`DELETE FROM ${sql.raw(table)} WHERE id IN (${ids})`);
    await tx.execute(
      sql`INSERT INTO ${sql.raw(table)} SELECT * FROM ${sql.raw(defaultOf(parent))} WHERE id IN (${ids})`,
    );
  }
  return rows.length;
}

async function prepareDay(tx: SystemDatabase, parent: string, day: number) {
  const partition = dayPartition(parent, day);
  await createDayTable(tx, parent, partition);
  await tx.execute(
    sql`UPDATE stray_moves SET days = days || ${day}::integer WHERE parent = ${parent} AND ${day}::integer <> ALL (days)`,
  );
  return partition;
}

async function swap(tx: SystemDatabase, parent: string): Promise<void> {
  const strays = defaultOf(parent);
  // All transactions lock the parent before the default partition, to prevent deadlocks.
  await tx.execute(sql.raw(`LOCK TABLE ONLY ${parent} IN ACCESS EXCLUSIVE MODE`));
  await tx.execute(sql.raw(`LOCK TABLE ${strays} IN ACCESS EXCLUSIVE MODE`));
  await copyChanges(tx, parent, null);
  const move = await findMove(tx, parent);
  await tx.execute(sql.raw(`ALTER TABLE ${parent} DETACH PARTITION ${strays}`));
  await tx.execute(sql.raw(`DROP TABLE ${strays}`));
  for (const day of move?.days ?? []) await attachDay(tx, parent, dayPartition(parent, day));
  await tx.execute(sql.raw(`CREATE TABLE ${strays} PARTITION OF ${parent} DEFAULT`));
  await forget(tx, parent);
}

async function forget(tx: SystemDatabase, parent: string): Promise<void> {
  await tx.execute(sql`DELETE FROM stray_changes WHERE parent = ${parent}`);
  await tx.execute(sql`DELETE FROM stray_moves WHERE parent = ${parent}`);
}
