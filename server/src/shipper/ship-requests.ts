import type pg from 'pg';
import { keepBodies, type PlacedBatch, type PutBodies } from '#body-store/write-bodies.ts';
import { UnstorableValueError } from '#db/binary-copy.ts';
import { withConnection } from '#db/held-connection.ts';
import { installationLocks } from '#db/installation-locks.ts';
import type { UserScore } from '#gateway/deviation/scoreboard.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import type { Logger } from '#platform/logger.ts';
import type { FoldedScores } from './fold-scores.ts';
import { isAfter, movePosition, type Position, PositionLostError } from './journal-position.ts';
import { type LogRow, noTexts } from './log-columns.ts';
import { createPostgresRows, type LogRowStore } from './log-row-store.ts';
import { writeBatch } from './write-batch.ts';

export interface EndedRequest extends RequestRecord {
  readonly position?: Position;
}

/**
 * Writes requests in the order of their positions. Idempotent. Rejects if the database is unavailable, and with
 * PositionLostError if all requests of the run must be shipped again.
 */
export type ShipRequests = (records: readonly EndedRequest[]) => Promise<void>;

export interface ShippingOptions {
  readonly pool: pg.Pool;
  readonly nodeSlot: number;
  /** Run whose journal contains the records. If omitted, positions are ignored. */
  readonly runId?: string | undefined;
  /** PostgreSQL by default. */
  readonly rows?: LogRowStore | undefined;
  /** Writes request texts before the transaction. By default, texts remain in the rows. */
  readonly putBodies?: PutBodies | undefined;
  readonly log: Logger;
  /** Called with stored requests and the scores written in the same transaction. */
  readonly onShipped?: (records: readonly RequestRecord[], scores: readonly UserScore[]) => void;
}

/**
 * Creates a function that writes batches of one run in one transaction each. Requests that are already in the database
 * are skipped. If the database rejects a row, the batch is halved until the row is isolated, and the row is then
 * written without the fields that callers and providers control, or else reported and skipped.
 */
export function createShipRequests(shipping: ShippingOptions): ShipRequests {
  const { log, nodeSlot, onShipped, pool, rows = createPostgresRows(pool) } = shipping;
  const options = { ...shipping, rows, findBegin: createFindBegin() };
  let reached: Position | null = null;
  const leaveOut = createLeaveOut(rows, onShipped);
  const isReached = ({ position }: EndedRequest) =>
    position !== undefined && reached !== null && !isAfter(position, reached);

  const forgetIfLost = (error: unknown): never => {
    if (error instanceof PositionLostError) {
      reached = null;
      rows.noteLoss();
    }
    throw error;
  };

  const shipUnreached: ShipRequests = async (records) => {
    const left = await leaveOut(records, isReached);
    if (left.length === 0) return;
    const { position, booked } = await write(options, left, reached).catch(forgetIfLost);
    reached = position ?? reached;
    if (!booked) return shipUnreached(left);
    await rows.deliver(booked.rows);
    onShipped?.(left, booked.scores.users);
  };

  const shipHalves = async (records: readonly EndedRequest[], error: Error) => {
    const [only, ...others] = records;
    if (only && others.length === 0) return shipWithoutTexts(shipUnreached, log, only, error);
    const middle = Math.ceil(records.length / 2);
    await ship(records.slice(0, middle));
    await ship(records.slice(middle));
  };

  const ship: ShipRequests = async (records) => {
    try {
      await shipUnreached(records);
    } catch (error) {
      if (!isContentError(error)) throw error;
      const left = isUniqueViolation(error)
        ? await leaveOut(records, await findStored(rows, records))
        : records;
      const stored = records.length - left.length;
      if (stored === 0) return shipHalves(records, error);
      log.info({ nodeSlot, requests: stored }, 'requests that are already in the database were skipped');
      await ship(left);
    }
  };
  return ship;
}

function createLeaveOut(rows: LogRowStore, onShipped: ShippingOptions['onShipped']) {
  return async (records: readonly EndedRequest[], isStored: (record: EndedRequest) => boolean) => {
    const groups = Map.groupBy(records, isStored);
    const stored = groups.get(true);
    if (stored) {
      await rows.redeliver(stored);
      onShipped?.(stored, []);
    }
    return groups.get(false) ?? [];
  };
}

/** Returns a predicate for stored or repeated requests. Call the predicate exactly once per request. */
async function findStored(rows: LogRowStore, records: readonly EndedRequest[]) {
  const ids = records.map(({ id }) => id);
  const seen = new Set(await rows.findBooked(ids));
  return ({ id }: EndedRequest) => seen.size === seen.add(id).size;
}

interface Writing extends ShippingOptions {
  readonly rows: LogRowStore;
  readonly findBegin: (client: pg.ClientBase) => Promise<string>;
}

/**
 * Uses LZ4 if the PostgreSQL build supports it, which is checked once. LZ4 compresses several times faster than the
 * default.
 */
function createFindBegin(): Writing['findBegin'] {
  let begin: string | undefined;
  return async (client) => {
    begin ??=
      (await client.query(lz4)).rows.length > 0
        ? `${beginWithLock}; SET LOCAL default_toast_compression = 'lz4'`
        : beginWithLock;
    return begin;
  };
}

/** Acquire the lock before other statements, so that they see which hours of the export are closed. */
const beginWithLock = `BEGIN; SELECT pg_advisory_xact_lock_shared(${installationLocks.logExport})`;

const lz4 = "SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)";

async function shipWithoutTexts(
  ship: ShipRequests,
  log: Logger,
  record: EndedRequest,
  error: Error,
): Promise<void> {
  const requestId = record.id;
  log.error({ requestId, error }, 'the database rejected a request row; it was stored without its texts');
  try {
    await ship([{ ...record, ...noTexts }]);
  } catch (cause) {
    if (!isContentError(cause)) throw cause;
    log.error({ requestId, error: cause }, 'the database rejected a request row permanently; it is lost');
  }
}

interface Written {
  readonly position: Position | null;
  readonly booked: Booked | null;
}

interface Booked {
  readonly rows: readonly LogRow[];
  readonly scores: FoldedScores;
}

/** Writes the texts before the transaction starts, to shorten the time for which the transaction holds its locks. */
async function write(
  options: Writing,
  records: readonly EndedRequest[],
  reached: Position | null,
): Promise<Written> {
  const { pool, putBodies = keepBodies } = options;
  const batch = await putBodies(records);
  return withConnection(pool, (client) => writeWith(client, options, batch, reached));
}

async function writeWith(
  client: pg.PoolClient,
  { nodeSlot, runId, rows, findBegin }: Writing,
  { records, register }: PlacedBatch<EndedRequest>,
  reached: Position | null,
): Promise<Written> {
  const [first, last] = [records.at(0)?.position, records.at(-1)?.position];
  await client.query(await findBegin(client));
  const move = runId && first && last ? { runId, known: reached, first, last } : null;
  const alreadyReached = move && (await movePosition(client, move));
  const place = { nodeSlot, store: rows, hasPosition: move !== null, registerObject: register };
  const booked = alreadyReached ? null : await writeBatch(client, place, records);
  await client.query('COMMIT');
  return { position: alreadyReached ?? move?.last ?? null, booked };
}

/**
 * True for SQLSTATE classes 22 (data) and 23 (constraints), and values that the column type cannot represent.
 * Retrying is pointless then.
 */
function isContentError(error: unknown): error is Error {
  if (error instanceof UnstorableValueError) return true;
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^2[23]\w{3}$/.test(error.code)
  );
}

function isUniqueViolation(error: Error): boolean {
  return 'code' in error && error.code === '23505';
}
