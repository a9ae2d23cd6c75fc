import { sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { BodyPlace } from '#domain/request-log/body-place.ts';
import { BodyStoreError } from '#domain/request-log/log-store-error.ts';
import { type ObjectStore, ObjectStoreError } from '#object-store/object-store.ts';
import type { SealingKey } from '#platform/seal-secret.ts';
import { findOffset, parseRanges } from './object-format.ts';
import { openPart, type Texts } from './sealed-part.ts';
import { openTenantKey } from './tenant-keys.ts';

/** Object storage for reading bodies, and the key that decrypts the tenants' keys. */
export interface BodySource {
  readonly store: ObjectStore;
  readonly sealingKey: SealingKey;
}

export interface PlacedRow {
  readonly requestId: string;
  readonly place: BodyPlace;
}

interface Located {
  readonly file: string;
  readonly removed: string;
  readonly key: Buffer;
}

const readsMax = 8;
const awayMessage =
  'The object storage with the text of this request cannot be reached at the moment. The other details of the request are available. Retry later to read its text.';

/**
 * Reads the texts of rows of one tenant within a transaction of the tenant, with one range request per row. Returns
 * `null` for texts that no longer exist.
 * @throws BodyStoreError if the object storage is unavailable or not configured
 */
export async function readTexts(
  source: BodySource | null,
  tx: NodePgDatabase,
  tenantId: number,
  rows: readonly PlacedRow[],
): Promise<(Texts | null)[]> {
  if (rows.length === 0) return [];
  if (!source)
    throw new BodyStoreError(
      'The text of this request is in object storage, but SLUICE_BODY_STORE is not set on this node.',
    );
  const { sealingKey, store } = source;
  const keyOf = keepLast((sealed: Buffer) => openTenantKey(sealingKey, tenantId, sealed));
  const read = async (selected: readonly PlacedRow[]): Promise<(Texts | null)[]> => {
    const located = await locate(tx, [...new Set(selected.map(({ place }) => place.object))]);
    return mapAtMost(readsMax, selected, async ({ place, requestId }) => {
      const object = located.get(place.object);
      const part = await readPart(store, object, place);
      return part && object ? openPart(keyOf(object.key), { tenantId, requestId }, part) : null;
    });
  };
  try {
    const texts = await read(rows);
    // Missing texts are read once more, since files may have been replaced after they were located.
    const again = (await read(rows.filter((_, index) => texts[index] === null))).values();
    return texts.map((text) => text ?? again.next().value ?? null);
  } catch (error) {
    if (error instanceof ObjectStoreError) throw new BodyStoreError(awayMessage, { cause: error });
    throw error;
  }
}

async function readPart(
  store: ObjectStore,
  object: Located | undefined,
  place: BodyPlace,
): Promise<Buffer | null> {
  const offset = object ? findOffset(parseRanges(object.removed), place) : null;
  return object && offset !== null ? store.get(object.file, { offset, length: place.length }) : null;
}

async function locate(tx: NodePgDatabase, objects: readonly string[]): Promise<Map<string, Located>> {
  if (objects.length === 0) return new Map();
  const { rows } = await tx.execute<Record<string, unknown> & Located & { id: string }>(
    sql`SELECT id, file, removed, sealed_key AS key FROM find_body_objects(${`{${objects.join()}}`}::uuid[])`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function keepLast(open: (sealed: Buffer) => Buffer): (sealed: Buffer) => Buffer {
  let last: { sealed: Buffer; key: Buffer } | undefined;
  return (sealed) => {
    if (!last?.sealed.equals(sealed)) last = { sealed, key: open(sealed) };
    return last.key;
  };
}

/** Runs at most `most` concurrent calls. Starts no further calls after a failure. */
async function mapAtMost<Item, Result>(
  most: number,
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) results[index] = await map(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
  return results;
}
