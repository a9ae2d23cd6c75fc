import { sql } from 'drizzle-orm';
import { installationLocks } from '#db/installation-locks.ts';
import type { SystemDatabase } from '#db/system.ts';

export interface LogExport {
  /** Start of the hour in UTC, as ISO 8601. */
  readonly hour: string;
  /** 0 for the rows of the hour itself. Higher numbers are for rows that were booked after the hour was closed. */
  readonly number: number;
  readonly manifest: Manifest | null;
}

export interface Sums {
  readonly rows: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cost_nano_usd: number;
}

export interface ExportedFile extends Sums {
  /** File name below the export prefix. */
  readonly file: string;
  readonly tenant_id: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Manifest extends Sums {
  readonly version: 1;
  readonly hour: string;
  readonly number: number;
  readonly files: readonly ExportedFile[];
}

/** Time after the end of an hour by which most of its requests have finished. */
const graceMinutes = 10;
/** Number of hours after which an hour is closed even if a node's journal is behind. */
const waitedHoursMax = 6;
/** Time for which late rows are collected before an export, so that they need few files. */
const lateMinutes = 20;
const keptDays = 90;

/**
 * Closes the hours that have ended and that the journals of all nodes have passed, or that ended six hours ago. The
 * first run determines the first hour. Returns the number of closed hours.
 */
export async function closeHours(database: SystemDatabase, nowMs: number): Promise<number> {
  const now = sql`${new Date(nowMs).toISOString()}::timestamptz`;
  await database.execute(sql`INSERT INTO log_export_start (since) VALUES (date_trunc('hour', ${now}, 'UTC'))
    ON CONFLICT DO NOTHING`);
  // The age was measured at the time of the node's report, so it is subtracted from that time.
  const { rowCount } = await lockedly(database, (tx) =>
    tx.execute(sql`
      INSERT INTO log_exports (hour, number)
      SELECT hour, 0 FROM log_export_start, generate_series(
        greatest(since, (SELECT max(hour) + interval '1 hour' FROM log_exports)), ${now}, '1 hour') hour
      WHERE hour + interval '1 hour' + make_interval(mins => ${graceMinutes}) <= ${now}
        AND (hour + make_interval(hours => 1 + ${waitedHoursMax}) <= ${now} OR NOT EXISTS (
          SELECT FROM node_reports WHERE hour + interval '1 hour' >
            seen_at - (report ->> 'journal_backlog_age_seconds')::float8 * interval '1 second'))
      ON CONFLICT DO NOTHING`),
  );
  return rowCount ?? 0;
}

export async function collectLateRows(database: SystemDatabase): Promise<void> {
  await lockedly(database, (tx) =>
    tx.execute(sql`
      WITH due AS (
        SELECT hour, (SELECT max(number) + 1 FROM log_exports e WHERE e.hour = late.hour) AS number
        FROM late_log_rows late WHERE number IS NULL
          AND EXISTS (SELECT FROM log_exports e WHERE e.hour = late.hour AND e.number = 0 AND e.written_at IS NOT NULL)
        GROUP BY hour HAVING min(noted_at) < now() - make_interval(mins => ${lateMinutes})
      ), added AS (INSERT INTO log_exports (hour, number) SELECT hour, number FROM due RETURNING hour, number)
      UPDATE late_log_rows late SET number = added.number FROM added WHERE late.hour = added.hour AND late.number IS NULL`),
  );
}

function lockedly<Result>(
  database: SystemDatabase,
  work: (tx: SystemDatabase) => Promise<Result>,
): Promise<Result> {
  return database.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${installationLocks.logExport})`);
    return work(tx);
  });
}

/** Returns the oldest exports first. */
export async function listUnwritten(database: SystemDatabase): Promise<LogExport[]> {
  const { rows } = await database.execute<Record<string, unknown> & LogExport>(sql`
    SELECT to_char(hour AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS hour, number, manifest
    FROM log_exports WHERE written_at IS NULL ORDER BY log_exports.hour, number`);
  return rows;
}

/** Returns the ids of an export of late rows, grouped by tenant. */
export async function selectLateIds(
  database: SystemDatabase,
  { hour, number }: LogExport,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const { rows } = await database.execute<{ tenantId: number; ids: string[] }>(sql`
    SELECT tenant_id AS "tenantId", array_agg(id::text ORDER BY id) AS ids FROM late_log_rows
    WHERE hour = ${hour}::timestamptz AND number = ${number} GROUP BY tenant_id`);
  return new Map(rows.map(({ tenantId, ids }) => [tenantId, ids]));
}

export async function selectLate(
  database: SystemDatabase,
  { hour }: LogExport,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await database.execute<{ id: string }>(sql`
    SELECT id::text FROM late_log_rows WHERE hour = ${hour}::timestamptz AND id = ANY (${`{${ids.join()}}`}::uuid[])`);
  return new Set(rows.map(({ id }) => id));
}

/** Returns requests of an hour, booked in the last seven days, whose rows may not be in ClickHouse yet. */
export async function selectUndelivered(database: SystemDatabase, { hour }: LogExport): Promise<string[]> {
  const { rows } = await database.execute<{ id: string }>(sql`
    SELECT id::text FROM undelivered_scores, unnest(request_ids) id
    WHERE booked_at > now() - interval '7 days'
      AND id >= uuid_floor(${hour}::timestamptz) AND id < uuid_floor(${hour}::timestamptz + interval '1 hour')`);
  return rows.map(({ id }) => id);
}

/** Stores the manifest of an export unless another node has done so. Returns the stored manifest. */
export async function decideManifest(database: SystemDatabase, manifest: Manifest): Promise<Manifest> {
  const isExport = sql`hour = ${manifest.hour}::timestamptz AND number = ${manifest.number}`;
  await database.execute(
    sql`UPDATE log_exports SET manifest = ${JSON.stringify(manifest)} WHERE ${isExport} AND manifest IS NULL`,
  );
  const { rows } = await database.execute<{ manifest: Manifest | null }>(
    sql`SELECT manifest FROM log_exports WHERE ${isExport}`,
  );
  const decided = rows[0]?.manifest;
  if (!decided) throw new Error(`The export of ${manifest.hour} does not exist.`);
  return decided;
}

/** Marks an export as written and deletes old exports. The newest one is kept, since the next run continues from it. */
export async function endExport(database: SystemDatabase, { hour, number }: LogExport): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.execute(
      sql`UPDATE log_exports SET written_at = now() WHERE hour = ${hour}::timestamptz AND number = ${number}`,
    );
    await tx.execute(sql`DELETE FROM late_log_rows WHERE hour = ${hour}::timestamptz AND number = ${number}`);
    await tx.execute(sql`DELETE FROM log_exports WHERE written_at < now() - make_interval(days => ${keptDays})
      AND hour < (SELECT max(hour) FROM log_exports)`);
  });
}
