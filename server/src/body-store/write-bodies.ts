import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { SystemDatabase } from '#db/system.ts';
import type { BodyPlace } from '#domain/request-log/body-place.ts';
import { timeOfId } from '#domain/request-log/request-id.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import type { ObjectStore } from '#object-store/object-store.ts';
import { buildObject, type IndexEntry } from './object-format.ts';
import { compressTexts, sealBytes, sealPart, type Texts } from './sealed-part.ts';
import { ensureTenantKeys, type Secrets } from './tenant-keys.ts';

/** Request with the content of its row. A record with a place lacks texts in its row. */
export interface PlacedRecord extends RequestRecord {
  readonly bodyPlace?: BodyPlace;
}

export interface PlacedBatch<Row extends PlacedRecord> {
  readonly records: readonly Row[];
  /** Marks the object as used in the transaction that books the batch. Fails if the object is being deleted. */
  register(tx: SystemDatabase): Promise<void>;
}

/** Writes the texts of a batch to object storage. A repeated batch uses the same object. */
export type PutBodies = <Row extends PlacedRecord>(records: readonly Row[]) => Promise<PlacedBatch<Row>>;

export const keepBodies: PutBodies = async (records) => ({ records, register: async () => {} });

export interface BodyWriterOptions {
  readonly database: SystemDatabase;
  readonly store: ObjectStore;
  readonly secrets: Secrets;
  /** Number of characters of prompts and responses that remain in the rows; `null` means all. */
  readonly searchedLength: number | null;
}

interface Part extends IndexEntry {
  readonly compressed: Buffer;
}

export function createPutBodies({ database, store, secrets, searchedLength }: BodyWriterOptions): PutBodies {
  return async (records) => {
    const parts = makeParts(records, searchedLength);
    if (parts.length === 0) return keepBodies(records);
    const tenants = [...new Set(parts.map(({ tenantId }) => tenantId))];
    const keys = await ensureTenantKeys(database, secrets, tenants);
    const { bytes, indexOffset } = buildObject(parts.map((part) => ({ ...part, bytes: seal(keys, part) })));
    const size = { bytes: bytes.length, indexOffset };
    const { id, file, isUsed } = await begin(database, { parts, tenants, ...size });
    if (!isUsed) await store.put(file, bytes);
    const places = new Map(parts.map((part) => [part.requestId, { object: id, ...part }]));
    return {
      records: records.map((record) => place(record, places.get(record.id), searchedLength)),
      register: (tx) => register(tx, id, file),
    };
  };
}

function makeParts(records: readonly RequestRecord[], searchedLength: number | null): Part[] {
  let offset = 0;
  const distinct = new Map(records.map((record) => [record.id, record]));
  return [...distinct.values()].flatMap(({ tenantId, id: requestId, ...record }) => {
    const texts = textsOf(record, searchedLength);
    if (tenantId === null || Object.keys(texts).length === 0) return [];
    const compressed = compressTexts(texts);
    const part = { requestId, tenantId, offset, length: sealBytes + compressed.length, compressed };
    offset += part.length;
    return [part];
  });
}

type Recorded = Pick<RequestRecord, 'prompt' | 'response' | 'requestBody'>;

function textsOf({ prompt, response, requestBody }: Recorded, searchedLength: number | null): Texts {
  return {
    ...(isLong(prompt, searchedLength) && { prompt }),
    ...(isLong(response, searchedLength) && { response }),
    ...(requestBody !== null && { body: String(requestBody) }),
  };
}

const isLong = (text: string | null, searchedLength: number | null): text is string =>
  searchedLength !== null && text !== null && text.length > searchedLength;

function place<Row extends PlacedRecord>(
  record: Row,
  part: (Part & { object: string }) | undefined,
  searchedLength: number | null,
): Row {
  if (!part) return record;
  const { object, offset, length } = part;
  const cut = (text: string | null) =>
    isLong(text, searchedLength) ? cutBetweenCharacters(text, searchedLength ?? 0) : text;
  const isCut = isLong(record.prompt, searchedLength) || isLong(record.response, searchedLength);
  return {
    ...record,
    prompt: cut(record.prompt),
    response: cut(record.response),
    requestBody: null,
    bodyPlace: { object, offset, length, isCut },
  };
}

function cutBetweenCharacters(text: string, length: number): string {
  const isHigh = ((text.charCodeAt(length - 1) || 0) & 0xfc00) === 0xd800;
  return text.slice(0, isHigh ? length - 1 : length);
}

function seal(keys: ReadonlyMap<number, Buffer>, { tenantId, requestId, compressed }: Part): Buffer {
  const key = keys.get(tenantId);
  if (!key) throw new Error(`The tenant ${tenantId} has no key for its texts.`);
  return sealPart(key, { tenantId, requestId }, compressed);
}

interface Begun {
  readonly id: string;
  readonly file: string;
  readonly isUsed: boolean;
}

interface NewObject {
  readonly parts: readonly Part[];
  readonly tenants: readonly number[];
  readonly bytes: number;
  readonly indexOffset: number;
}

/**
 * Records an object before it is written, so that the object can be deleted if its batch is never booked. Returns the
 * existing row of a repeated batch, unless parts of its object have been removed.
 */
async function begin(database: SystemDatabase, object: NewObject, attempt = 0): Promise<Begun> {
  const { bytes, indexOffset, parts, tenants } = object;
  const times = parts.map(({ requestId }) => timeOfId(requestId));
  const first = Math.min(...times);
  const id = toObjectId(first, parts, attempt);
  const file = `${new Date(first).toISOString().slice(0, 10)}/${randomUUID()}`;
  const { rows } = await database.execute<Begun & Record<string, unknown> & { isWhole: boolean }>(sql`
    INSERT INTO body_objects AS known (id, file, tenants, bytes, index_offset, last_at)
    VALUES (${id}, ${`bodies/${file}`}, ${`{${tenants.join()}}`}, ${bytes}, ${indexOffset}, ${new Date(Math.max(...times)).toISOString()})
    ON CONFLICT (id) DO UPDATE SET begun_at = now()
    RETURNING id, file, is_used AS "isUsed", removed = '{}' AS "isWhole"`);
  const [row] = rows;
  if (!row) throw new Error('the object was not recorded');
  return row.isWhole ? row : begin(database, object, attempt + 1);
}

/** Returns a UUID that starts with a time and otherwise depends on the requests, their texts and the attempt. */
function toObjectId(timeMs: number, parts: readonly Part[], attempt: number): string {
  const hash = createHash('sha256').update(`${attempt}`);
  for (const { requestId, compressed } of parts) hash.update(requestId).update(compressed);
  const time = timeMs.toString(16).padStart(12, '0');
  const digits = hash.digest('hex');
  const [third, fourth] = [`8${digits.slice(0, 3)}`, `8${digits.slice(3, 6)}`];
  return `${time.slice(0, 8)}-${time.slice(8)}-${third}-${fourth}-${digits.slice(6, 18)}`;
}

/** Thrown when an object was discarded before its batch was booked. The batch is then written again. */
class ObjectGoneError extends Error {
  override readonly name = 'ObjectGoneError';
}

async function register(database: SystemDatabase, id: string, file: string): Promise<void> {
  const { rowCount } = await database.execute(
    sql`UPDATE body_objects SET is_used = true, begun_at = now() WHERE id = ${id} AND file = ${file}`,
  );
  if (rowCount !== 1) throw new ObjectGoneError('the object of the batch is being deleted');
}
