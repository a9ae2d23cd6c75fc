import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { PlacedBatch, PlacedRecord } from '#body-store/write-bodies.ts';
import { sumTokens } from '#domain/allowance/settlement.ts';
import { isBudget } from '#domain/allowance/window.ts';
import { timeOfId } from '#domain/request-log/request-id.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { type Charge, postDeductions } from '#ledger/deductions.ts';
import { blockUsers } from './block-users.ts';
import { bookUsage, type UsageLine } from './book-usage.ts';
import { type FoldedScores, foldScores, lockUsers, writeScores } from './fold-scores.ts';
import { type LogRow, toLogRow } from './log-columns.ts';
import type { LogRowStore } from './log-row-store.ts';
import { addToRollups } from './usage-rollups.ts';

export interface BatchPlace {
  readonly nodeSlot: number;
  readonly store: LogRowStore;
  /** Whether the batch has a position in the journal, which shows whether the batch is already booked. */
  readonly hasPosition: boolean;
  /** Marks the object with the batch's texts as used. */
  readonly registerObject: PlacedBatch<PlacedRecord>['register'];
}

/**
 * Books requests in the caller's transaction: rows, scores, rollups, limits and charges. Fails with a unique violation
 * if a request is already booked.
 */
export async function writeBatch(
  client: pg.PoolClient,
  { nodeSlot, store, hasPosition, registerObject }: BatchPlace,
  given: readonly PlacedRecord[],
): Promise<{ rows: readonly LogRow[]; scores: FoldedScores }> {
  // A journal may contain the same settlement twice.
  const records = [...new Map(given.map((record) => [record.id, record])).values()];
  const scores = foldScores(await lockUsers(client, records), records);
  const rows = records.map((record) => toLogRow(record, scores.changes.get(record.id)));
  await registerObject(drizzle({ client }));
  await store.book(client, rows, hasPosition);
  await noteLateRows(client, records);
  await client.query(updateKeysLastUsed, toKeyColumns(records));
  await writeScores(client, scores.users);
  await blockUsers(client, scores.users);
  await addToRollups(client, nodeSlot, records, scores.changes);
  await bookUsage(client, records.flatMap(listUsage));
  await postDeductions(drizzle({ client }), records.flatMap(listCharges));
  return { rows, scores };
}

/** Tolerated clock difference between nodes when deciding whether an hour may already be closed. */
const clockToleranceMs = 600_000;
const hourMs = 3_600_000;

/** Must run in the transaction that books the rows. */
async function noteLateRows(
  client: pg.ClientBase,
  records: readonly Pick<RequestRecord, 'id' | 'tenantId'>[],
): Promise<void> {
  const openFromMs = Math.floor((Date.now() + clockToleranceMs) / hourMs) * hourMs;
  const old = records.filter(({ id, tenantId }) => tenantId !== null && timeOfId(id) < openFromMs);
  if (old.length === 0) return;
  const hours = old.map(({ id }) => new Date(Math.floor(timeOfId(id) / hourMs) * hourMs).toISOString());
  await client.query(insertLate, [old.map(({ id }) => id), old.map(({ tenantId }) => tenantId), hours]);
}

const insertLate = `INSERT INTO late_log_rows (id, tenant_id, hour)
  SELECT booked.* FROM unnest($1::uuid[], $2::integer[], $3::timestamptz[]) AS booked (id, tenant_id, hour)
  WHERE EXISTS (SELECT FROM log_exports e WHERE e.hour = booked.hour AND e.number = 0)
  ON CONFLICT (id) DO NOTHING`;

function listUsage({ hold }: RequestRecord): UsageLine[] {
  if (!hold) return [];
  // Budgets of instances that did not serve the request count no usage. Their holds are released.
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

function toKeyColumns(records: readonly RequestRecord[]): unknown[] {
  const lastUses = new Map<number, RequestRecord>();
  for (const record of records) {
    const { apiKeyId, receivedAtMs } = record;
    if (apiKeyId !== null && receivedAtMs >= (lastUses.get(apiKeyId)?.receivedAtMs ?? 0)) {
      lastUses.set(apiKeyId, record);
    }
  }
  // Sort the keys, so that all nodes update them in the same order and concurrent batches never deadlock.
  const used = [...lastUses].toSorted(([one], [other]) => one - other);
  return [
    used.map(([id]) => id),
    used.map(([, { receivedAtMs }]) => new Date(receivedAtMs).toISOString()),
    used.map(([, { address }]) => address ?? null),
    used.map(([, { model, modelRequested }]) => (model ?? modelRequested)?.slice(0, usedModelMax) ?? null),
  ];
}

/** Maximum length of the model name in the API key's row. The log row contains the full name. */
const usedModelMax = 200;

const updateKeysLastUsed = `UPDATE api_keys SET last_used_at = used.at,
    last_used_address = COALESCE(used.address, last_used_address), last_used_model = COALESCE(used.model, last_used_model)
  FROM unnest($1::integer[], $2::timestamptz[], $3::text[], $4::text[]) AS used (id, at, address, model)
  WHERE api_keys.id = used.id AND (last_used_at IS NULL OR last_used_at < used.at)`;
