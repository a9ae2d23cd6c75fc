import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { encodeRows, insertStatement, UnstorableValueError } from '#db/bulk-insert.ts';
import { withConnection } from '#db/held-connection.ts';
import { sumTokens } from '#domain/allowance/settlement.ts';
import { isBudget } from '#domain/allowance/window.ts';
import type { ScoredPerson } from '#gateway/deviation/scoreboard.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { type Charge, postDeductions } from '#ledger/deductions.ts';
import type { Logger } from '#platform/logger.ts';
import { blockUsers } from './block-users.ts';
import { bookUsage, type UsageLine } from './book-usage.ts';
import { foldScores, lockUsers, rewriteChanges, writeScores } from './fold-scores.ts';
import { bodyColumns, logColumns, toLogRow } from './log-columns.ts';
import { insertTextBlocks } from './text-blocks.ts';
import { addToRollups } from './usage-rollups.ts';

/** Writes a batch of ended requests to the database; idempotent. Rejects if the database is unavailable. */
export type ShipRequests = (records: readonly RequestRecord[]) => Promise<void>;

/** Target database and the node's journal slot. */
export interface ShippingOptions {
  readonly pool: pg.Pool;
  readonly nodeSlot: number;
  readonly log: Logger;
  /** Called with the users' scores after a batch is written. */
  readonly onShipped?: (records: readonly RequestRecord[], people: readonly ScoredPerson[]) => void;
}

/**
 * Creates the writer of request batches. One transaction adds log rows and bodies and, for new rows only, updates
 * rollups, limits, credits and scores. A row whose content the database rejects is isolated by halving the batch, then
 * written without the fields that callers and providers control; if that fails too, it is reported and skipped.
 */
export function createShipRequests(shipping: ShippingOptions): ShipRequests {
  const options = { ...shipping, findBegin: createFindBegin() };
  const ship: ShipRequests = async (records) => {
    try {
      await write(options, records);
    } catch (error) {
      if (!isContentError(error)) throw error;
      const [only, ...others] = records;
      if (only && others.length === 0) return shipWithoutTexts(options, only, error);
      const middle = Math.ceil(records.length / 2);
      await ship(records.slice(0, middle));
      await ship(records.slice(middle));
    }
  };
  return ship;
}

interface Writing extends ShippingOptions {
  /** Returns the statement that starts a batch. */
  readonly findBegin: (client: pg.ClientBase) => Promise<string>;
}

/** LZ4 compresses several times faster than the default, but not every PostgreSQL build has it; checked once. */
function createFindBegin(): Writing['findBegin'] {
  let begin: string | undefined;
  return async (client) => {
    begin ??=
      (await client.query(lz4)).rows.length > 0
        ? "BEGIN; SET LOCAL default_toast_compression = 'lz4'"
        : 'BEGIN';
    return begin;
  };
}

const lz4 = "SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)";

async function shipWithoutTexts(options: Writing, record: RequestRecord, error: unknown): Promise<void> {
  const { log } = options;
  const requestId = record.id;
  log.error({ requestId, error }, 'the database rejected a request row; it was stored without its texts');
  try {
    await write(options, [{ ...record, ...bareFields }]);
  } catch (cause) {
    if (!isContentError(cause)) throw cause;
    log.error({ requestId, error: cause }, 'the database rejected a request row permanently; it is lost');
  }
}

/** Empties all fields whose content callers or providers control. */
const bareFields = {
  clientRequestId: null,
  taskId: null,
  modelRequested: null,
  model: null,
  errorMessage: null,
  usage: null,
  usageSource: 'none',
  prompt: null,
  response: null,
  requestBody: null,
} satisfies Partial<RequestRecord>;

async function write(
  { pool, nodeSlot, onShipped, findBegin }: Writing,
  records: readonly RequestRecord[],
): Promise<void> {
  const scores = await withConnection(pool, async (client) => {
    // The failing query reports the error as well, but without a listener a broken connection would end the process.
    client.on('error', ignore);
    try {
      return await writeBatch(client, nodeSlot, records, findBegin);
    } finally {
      client.off('error', ignore);
    }
  });
  onShipped?.(records, scores.people);
}

async function writeBatch(
  client: pg.PoolClient,
  nodeSlot: Writing['nodeSlot'],
  records: readonly RequestRecord[],
  findBegin: Writing['findBegin'],
): Promise<ReturnType<typeof foldScores>> {
  await client.query(await findBegin(client));
  const locked = await lockUsers(client, records);
  const expected = foldScores(locked, records);
  const logRows = records.map((record) => toLogRow(record, expected.changes.get(record.id)));
  const { rows } = await client.query<{ id: string }>(insertLogs, encodeRows(logColumns, logRows));
  await client.query(insertBodies, encodeRows(bodyColumns, records));
  await client.query(updateKeysLastUsed, toKeyColumns(records));
  const added = pickAdded(records, rows);
  await insertTextBlocks(client, added);
  const isWhole = added.length === records.length;
  const scores = isWhole ? expected : foldScores(locked, added);
  if (!isWhole) {
    await rewriteChanges(
      client,
      scores.changes,
      added.map(({ id }) => id),
    );
  }
  await writeScores(client, scores.people);
  await blockUsers(client, scores.people);
  await addToRollups(client, nodeSlot, added, scores.changes);
  await bookUsage(client, added.flatMap(listUsage));
  await postDeductions(drizzle({ client }), added.flatMap(listCharges));
  await client.query('COMMIT');
  return scores;
}

/** Picks new rows; those shipped before are neither counted nor charged again. */
function pickAdded(records: readonly RequestRecord[], rows: readonly { id: string }[]): RequestRecord[] {
  const added = new Set(rows.map(({ id }) => id));
  return records.filter(({ id }) => added.delete(id));
}

function listUsage({ hold }: RequestRecord): UsageLine[] {
  if (!hold) return [];
  // Budgets of instances that did not serve the request count no usage; their holds are released.
  const used = hold.parts.filter((part) => part.used > 0 || !isBudget(part.kind));
  return used.map((part) => ({ nodeId: hold.nodeId, ...part }));
}

function listCharges(record: RequestRecord): Charge[] {
  const { costNanoUsd, isServiceManaged, llmProviderId, providerKey, tenantId, usage } = record;
  if (!isServiceManaged || costNanoUsd === null || tenantId === null || llmProviderId === null) return [];
  return [
    {
      requestId: record.id,
      tenantId,
      llmProviderId,
      providerKey: providerKey ?? '',
      model: record.model ?? '',
      receivedAtMs: record.receivedAtMs,
      tokens: usage ? sumTokens(usage) : 0,
      costNanoUsd: BigInt(costNanoUsd),
    },
  ];
}

const ignore = () => undefined;

/**
 * Whether retrying is pointless because the rows are at fault: SQLSTATE classes 22 (data) and 23 (constraints), and
 * values that have no representation in the column's type.
 */
function isContentError(error: unknown): boolean {
  if (error instanceof UnstorableValueError) return true;
  return (
    error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]/.test(error.code)
  );
}

function toKeyColumns(records: readonly RequestRecord[]): unknown[] {
  const lastUses = new Map<number, RequestRecord>();
  for (const record of records) {
    const { apiKeyId, receivedAtMs } = record;
    if (apiKeyId !== null && receivedAtMs >= (lastUses.get(apiKeyId)?.receivedAtMs ?? 0)) {
      lastUses.set(apiKeyId, record);
    }
  }
  // The same order on every node, so that two batches never deadlock.
  const used = [...lastUses].toSorted(([one], [other]) => one - other);
  return [
    used.map(([id]) => id),
    used.map(([, { receivedAtMs }]) => new Date(receivedAtMs).toISOString()),
    used.map(([, { address }]) => address ?? null),
    used.map(([, { model, modelRequested }]) => (model ?? modelRequested)?.slice(0, usedModelMax) ?? null),
  ];
}

/** Longer names are shortened in the key's row; the log row has the whole name. */
const usedModelMax = 200;

// Returns only the rows that did not exist before.
const insertLogs = `${insertStatement('request_logs', logColumns)} ON CONFLICT (id) DO NOTHING RETURNING id`;
const insertBodies = `${insertStatement('request_log_bodies', bodyColumns)} ON CONFLICT (id) DO NOTHING`;

const updateKeysLastUsed = `UPDATE api_keys SET last_used_at = used.at,
    last_used_address = COALESCE(used.address, last_used_address), last_used_model = COALESCE(used.model, last_used_model)
  FROM unnest($1::integer[], $2::timestamptz[], $3::text[], $4::text[]) AS used (id, at, address, model)
  WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`;
