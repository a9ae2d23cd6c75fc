import { randomUUID } from 'node:crypto';
import type { SystemDatabase } from '#db/system.ts';
import type { ObjectStore } from '#object-store/object-store.ts';
import { buildObject, type IndexEntry, readIndex } from './object-format.ts';
import {
  announceFile,
  type BodyObject,
  deleteFiles,
  discardObject,
  discardUnused,
  endCheck,
  replaceFile,
  selectToCheck,
} from './object-rows.ts';

/** Returns the requests whose rows refer to the object; `null` if rows may be in another database. */
export type FindPlaced = (object: string, ids: readonly string[]) => Promise<readonly string[] | null>;

export interface RemovalOptions {
  readonly database: SystemDatabase;
  readonly store: ObjectStore;
  readonly findPlaced: FindPlaced;
  readonly signal: AbortSignal;
}

export interface Removed {
  readonly deleted_files: number;
  readonly compacted_objects: number;
  readonly discarded_objects: number;
  /** 1 if the check was postponed because rows may be in another database, else 0. */
  readonly waits_for_move: number;
}

const [objectsAtOnce, filesAtOnce] = [100, 16];
const lowestId = '00000000-0000-0000-0000-000000000000';

/**
 * Removes texts whose rows are deleted: discards objects without other texts, replaces the files of all other
 * objects, and deletes obsolete files. Interruptions at any point and concurrent runs are safe.
 */
export async function removeBodies(options: RemovalOptions): Promise<Removed> {
  const { database } = options;
  const unused = await discardUnused(database);
  const { broken, compacted, discarded, unknown } = await checkObjects(options);
  const deleted = await deleteAllFiles(options);
  // The error is thrown after all other removals, so that the job fails and operators notice.
  if (broken) throw broken;
  return {
    deleted_files: deleted,
    compacted_objects: compacted,
    discarded_objects: unused + discarded,
    waits_for_move: unknown,
  };
}

/** Checks all marked objects. An object that cannot be read does not prevent the checks of other objects. */
async function checkObjects(options: RemovalOptions) {
  const { database, signal } = options;
  const counts = { kept: 0, compacted: 0, discarded: 0, unknown: 0 };
  let broken: Error | undefined;
  let after = lowestId;
  while (!signal.aborted && counts.unknown === 0) {
    const objects = await selectToCheck(database, after, objectsAtOnce);
    for (const object of objects) {
      if (signal.aborted || counts.unknown > 0) break;
      try {
        counts[await checkObject(options, object)] += 1;
      } catch (cause) {
        if (!(cause instanceof BrokenObjectError)) throw cause;
        broken ??= cause;
      }
    }
    after = objects.at(-1)?.id ?? after;
    if (objects.length < objectsAtOnce) break;
  }
  return { ...counts, broken };
}

async function deleteAllFiles({ database, signal, store }: RemovalOptions): Promise<number> {
  let deleted = 0;
  while (!signal.aborted) {
    const files = await deleteFiles(database, store.delete, filesAtOnce);
    deleted += files;
    if (files < filesAtOnce) break;
  }
  return deleted;
}

/** Thrown when the index of an object is missing or cannot be read. */
class BrokenObjectError extends Error {
  override readonly name = 'BrokenObjectError';
}

function readIndexOf({ file }: BodyObject, index: Buffer | null): IndexEntry[] {
  try {
    if (index) return readIndex(index);
  } catch (cause) {
    throw new BrokenObjectError(`The index of the object ${file} cannot be read.`, { cause });
  }
  throw new BrokenObjectError(`The object ${file} is missing.`);
}

async function checkObject(
  { database, findPlaced, store }: RemovalOptions,
  object: BodyObject,
): Promise<'kept' | 'compacted' | 'discarded' | 'unknown'> {
  const { bytes, file, id, indexOffset } = object;
  const index = await store.get(file, { offset: indexOffset, length: bytes - indexOffset });
  const entries = readIndexOf(object, index);
  const found = await findPlaced(
    id,
    entries.map(({ requestId }) => requestId),
  );
  if (!found) return 'unknown';
  const placed = new Set(found);
  const { live = [], dead = [] } = Object.groupBy(entries, ({ requestId }) =>
    placed.has(requestId) ? 'live' : 'dead',
  );
  if (live.length === 0) return (await discardObject(database, object)) === 1 ? 'discarded' : 'kept';
  if (dead.length > 0)
    return (await compact({ database, store }, object, { entries, live, dead })) ? 'compacted' : 'kept';
  await endCheck(database, object);
  return 'kept';
}

interface Sorted {
  readonly entries: readonly IndexEntry[];
  readonly live: readonly IndexEntry[];
  readonly dead: readonly IndexEntry[];
}

async function compact(
  { database, store }: Pick<RemovalOptions, 'database' | 'store'>,
  object: BodyObject,
  { entries, live, dead }: Sorted,
): Promise<boolean> {
  const whole = await store.get(object.file);
  if (!whole) return false;
  let start = 0;
  const starts = new Map<IndexEntry, number>();
  for (const entry of entries) {
    starts.set(entry, start);
    start += entry.length;
  }
  const bytesOf = (entry: IndexEntry) => {
    const at = starts.get(entry) ?? 0;
    return whole.subarray(at, at + entry.length);
  };
  const built = buildObject(live.map((entry) => ({ ...entry, bytes: bytesOf(entry) })));
  const file = `${object.file.slice(0, object.file.lastIndexOf('/'))}/${randomUUID()}`;
  await announceFile(database, file);
  await store.put(file, built.bytes);
  return replaceFile(database, object, {
    file,
    bytes: built.bytes.length,
    indexOffset: built.indexOffset,
    tenants: [...new Set(live.map(({ tenantId }) => tenantId))],
    removed: `{${dead.map(({ offset, length }) => `[${offset},${offset + length})`).join()}}`,
  });
}
