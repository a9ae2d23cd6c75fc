import { tenants } from '#db/schema/tenants.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { LogRow } from '#domain/request-log/log-rows.ts';
import type { ObjectStore } from '#object-store/object-store.ts';
import type { IdRange } from '#request-log/request-log.ts';
import {
  closeHours,
  collectLateRows,
  decideManifest,
  type ExportedFile,
  endExport,
  type LogExport,
  listUnwritten,
  type Manifest,
  selectLate,
  selectLateIds,
  selectUndelivered,
} from './hours.ts';
import { idsOfHour, type ReadTenant, readRows, sumFiles, writeFiles } from './write-files.ts';

export interface ExportOptions {
  readonly database: SystemDatabase;
  readonly store: ObjectStore;
  readonly readTenant: ReadTenant;
  /** Returns the ids of the requests that have rows. */
  readonly findExisting: (ids: readonly string[]) => Promise<readonly string[]>;
  /**
   * Returns whether `readTenant` finds all rows of the range; `false` if some rows may exist only in the other
   * database.
   */
  readonly hasAllRows: (range: IdRange) => Promise<boolean>;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

export interface ExportFigures {
  readonly closed_hours: number;
  readonly exported_rows: number;
  readonly waiting_exports: number;
}

/**
 * Exports ended hours, and late rows of earlier hours. Each row is exported once. Interruptions at any point and
 * concurrent runs are safe: the database decides which files count, and a manifest is written after its files.
 */
export async function exportHours(options: ExportOptions): Promise<ExportFigures> {
  const { database, nowMs, signal } = options;
  const closed = await closeHours(database, nowMs);
  await collectLateRows(database);
  const unwritten = await listUnwritten(database);
  let rows = 0;
  let waiting = unwritten.length;
  for (const next of unwritten) {
    if (signal.aborted) break;
    const manifest = next.manifest ?? (await writeIfComplete(options, next));
    if (!manifest) continue;
    await putManifest(options.store, manifest);
    await endExport(database, next);
    rows += manifest.rows;
    waiting -= 1;
  }
  return { closed_hours: closed, exported_rows: rows, waiting_exports: waiting };
}

/**
 * Writes the files of an export. Returns `null` while booked requests have no rows yet, or while rows are being
 * moved.
 */
async function writeIfComplete(options: ExportOptions, next: LogExport): Promise<Manifest | null> {
  const { database, findExisting, hasAllRows, store } = options;
  const undelivered = await selectUndelivered(database, next);
  const found = undelivered.length > 0 ? await findExisting(undelivered) : [];
  if (found.length < new Set(undelivered).size) return null;
  const hasAll = () => hasAllRows(idsOfHour(next));
  if (!(await hasAll())) return null;
  const files = await writeAllFiles(options, next);
  if (!(await hasAll())) {
    for (const { file } of files) await store.delete(file);
    return null;
  }
  const { hour, number } = next;
  const decided = await decideManifest(database, { version: 1, hour, number, ...sumFiles(files), files });
  const counted = new Set(decided.files.map(({ file }) => file));
  for (const { file } of files) if (!counted.has(file)) await store.delete(file);
  return decided;
}

async function writeAllFiles(
  { database, readTenant, store }: ExportOptions,
  next: LogExport,
): Promise<ExportedFile[]> {
  const files: ExportedFile[] = [];
  if (next.number > 0) {
    for (const [tenantId, ids] of await selectLateIds(database, next))
      files.push(
        ...(await writeFiles(store, next, tenantId, readRows(readTenant, tenantId, next, ids.toReversed()))),
      );
    return files;
  }
  const known = await database.select({ id: tenants.id }).from(tenants).orderBy(tenants.id);
  for (const { id } of known) {
    const onTime = leaveOutLate(database, next, readRows(readTenant, id, next));
    files.push(...(await writeFiles(store, next, id, onTime)));
  }
  return files;
}

/** Omits rows that belong to a later export, because they were recorded as late before they were readable. */
async function* leaveOutLate(
  database: SystemDatabase,
  next: LogExport,
  pages: AsyncIterable<LogRow[]>,
): AsyncGenerator<LogRow[]> {
  for await (const rows of pages) {
    const late = await selectLate(
      database,
      next,
      rows.map(({ id }) => id),
    );
    yield rows.filter(({ id }) => !late.has(id));
  }
}

function putManifest(store: ObjectStore, manifest: Manifest): Promise<void> {
  const { hour, number } = manifest;
  const name = `manifests/date=${hour.slice(0, 10)}/hour=${hour.slice(11, 13)}/${number}.json`;
  return store.put(name, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), 'application/json');
}
