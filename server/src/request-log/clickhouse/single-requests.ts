import type {
  BodyRow,
  LogRow,
  OwnRow,
  PromptRow,
  RecentRequest,
  RequestFigures,
} from '#domain/request-log/log-rows.ts';
import type { LogAccess } from './lists.ts';
import {
  decodePlace,
  decodeRow,
  placeColumns,
  rowColumns,
  type StoredPlace,
  type StoredRow,
  toDate,
} from './log-columns.ts';
import { toRowId, toUuid } from './row-id.ts';
import { isOneOfIds } from './settle-inserts.ts';

async function findRow<Row>({ rows }: LogAccess, columns: string, id: string, userId?: number) {
  const ofUser = userId === undefined ? '' : 'AND user_id = {user_id:Int32}';
  const [row] = await rows.read<Row>(
    `SELECT ${columns} FROM request_logs WHERE id = {id:UInt128} ${ofUser}`,
    { id: toRowId(id), ...(userId !== undefined && { user_id: userId }) },
  );
  return row;
}

interface StoredBody extends Omit<BodyRow, 'text' | 'compressed' | 'sha256' | 'bodyPlace'>, StoredPlace {
  readonly body: string | null;
  readonly sha256: string | null;
}

export async function findBody(access: LogAccess, id: string): Promise<BodyRow | undefined> {
  const row = await findRow<StoredBody>(
    access,
    `prompt, request_body AS body, request_bytes AS bytes, request_sha256 AS sha256, prompt_privacy AS "promptPrivacy",
     ${placeColumns}`,
    id,
  );
  if (!row) return undefined;
  const { body, sha256, ...others } = decodePlace(row);
  return {
    ...others,
    text: null,
    compressed: body === null ? null : Buffer.from(body, 'base64'),
    sha256: sha256 === null ? null : Buffer.from(sha256, 'hex'),
  };
}

export async function findOwnRow(access: LogAccess, id: string, userId: number): Promise<OwnRow | undefined> {
  const row = await findRow<StoredRow>(access, rowColumns, id, userId);
  return row && decodeRow(row);
}

/** Columns of `RequestFigures`. 64-bit integers are returned as text. */
export const figureColumns = `cost_nano_usd AS "costNanoUsd", intent_classification AS intent,
  response_time_ms AS "responseTimeMs", prompt_tokens + completion_tokens AS "totalTokens"`;

export interface StoredFigures extends Omit<RequestFigures, 'costNanoUsd' | 'totalTokens'> {
  readonly costNanoUsd: string | null;
  readonly totalTokens: string;
}

export function decodeFigures<Row extends StoredFigures>({ costNanoUsd, totalTokens, ...row }: Row) {
  return {
    ...row,
    costNanoUsd: costNanoUsd === null ? null : BigInt(costNanoUsd),
    totalTokens: Number(totalTokens),
  };
}

export async function findFigures(access: LogAccess, id: string): Promise<RequestFigures | undefined> {
  const row = await findRow<StoredFigures>(access, figureColumns, id);
  return row && decodeFigures(row);
}

export async function findPrompt(
  access: LogAccess,
  id: string,
  userId?: number,
): Promise<PromptRow | undefined> {
  const columns = `prompt, intent_classification AS intent, ${placeColumns}`;
  const row = await findRow<Omit<PromptRow, 'bodyPlace'> & StoredPlace>(access, columns, id, userId);
  return row && decodePlace(row);
}

interface StoredRecent extends Omit<RecentRequest, 'receivedAt' | 'total_tokens'> {
  readonly micros: string;
  readonly total_tokens: string;
}

export async function selectRecent(
  { rows }: LogAccess,
  userId: number,
  limit: number,
): Promise<RecentRequest[]> {
  const recent = await rows.read<StoredRecent>(
    `SELECT id, toUnixTimestamp64Micro(received_at) AS micros, coalesce(model, model_requested) AS model, status, error_code,
       repeats, prompt_tokens + completion_tokens AS total_tokens
     FROM request_logs WHERE user_id = {user_id:Int32} ORDER BY tenant_id DESC, id DESC LIMIT ${limit}`,
    { user_id: userId },
  );
  return recent.map(({ micros, ...row }) => ({
    ...row,
    id: toUuid(row.id),
    receivedAt: toDate(micros),
    total_tokens: Number(row.total_tokens),
  }));
}

export async function findAnswered({ rows }: LogAccess, rowsMax: number) {
  const [row] = await rows.read<{ id: string; micros: string }>(
    `SELECT id, toUnixTimestamp64Micro(received_at) AS micros
     FROM (SELECT id, received_at, status, operation FROM request_logs ORDER BY tenant_id DESC, id DESC LIMIT ${rowsMax})
     WHERE status = 'success' AND operation IN ('chat.completions', 'embeddings') ORDER BY id DESC LIMIT 1`,
  );
  return row ? { id: toUuid(row.id), receivedAt: toDate(row.micros) } : null;
}

/** Requests without a row are omitted. */
export async function findOwners(
  { rows }: LogAccess,
  ids: readonly string[],
): Promise<Map<string, LogRow['userId']>> {
  if (ids.length === 0) return new Map();
  const { isOne, params } = isOneOfIds(ids);
  const owned = await rows.read<{ id: string; userId: number | null }>(
    `SELECT id, user_id AS "userId" FROM request_logs WHERE ${isOne}`,
    params,
  );
  return new Map(owned.map(({ id, userId }) => [toUuid(id), userId]));
}
