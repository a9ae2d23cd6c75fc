import type { BodyPlace } from '#domain/request-log/body-place.ts';
import type { LogRow, OwnRow } from '#domain/request-log/log-rows.ts';
import { toUuid } from './row-id.ts';

/** Columns of a row except texts and names. 64-bit integers are returned as text. */
export const rowColumns = `id, toUnixTimestamp64Micro(received_at) AS "receivedAtMicros", user_id AS "userId",
  task_id AS "taskId", api_key_id AS "apiKeyId", labels, model_requested AS "modelRequested", model,
  downgraded_by_budget_id AS "downgradedByBudgetId", status, http_status AS "httpStatus", error_code AS "errorCode",
  error_message AS "errorMessage", response_time_ms AS "responseTimeMs", first_byte_ms AS "firstByteMs",
  prompt_tokens AS "promptTokens", completion_tokens AS "completionTokens", cache_read_tokens AS "cacheReadTokens",
  cache_write_tokens AS "cacheWriteTokens", reasoning_tokens AS "reasoningTokens", usage_source AS "usageSource",
  cost_nano_usd AS "costNanoUsd", price, provider_calls AS "providerCalls", repeats, is_stream AS "isStream",
  provider_key AS "providerKey", provider_instance_name AS "providerInstanceName",
  client_request_id AS "clientRequestId", intent_classification AS "intentClassification",
  confidence_score AS "confidenceScore", user_score_before AS "userScoreBefore", user_score_after AS "userScoreAfter",
  deviation_score_delta AS "deviationScoreDelta", deviation_receipts AS "deviationReceipts"`;

export const placeColumns = `body_object AS "bodyObject", body_offset AS "bodyOffset", body_length AS "bodyLength",
  is_cut AS "isCut"`;

export interface StoredPlace {
  readonly bodyObject: string | null;
  readonly bodyOffset: number | null;
  readonly bodyLength: number | null;
  readonly isCut: boolean;
}

export function decodePlace<Row extends StoredPlace>({
  bodyObject: object,
  bodyOffset: offset,
  bodyLength: length,
  isCut,
  ...row
}: Row): Omit<Row, keyof StoredPlace> & { readonly bodyPlace: BodyPlace | null } {
  const isPlaced = object !== null && offset !== null && length !== null;
  return { ...row, bodyPlace: isPlaced ? { object, offset, length, isCut } : null };
}

type Named = 'userName' | 'userEmail' | 'taskTitle' | 'apiKeyName' | 'correctedIntent';
type Texts = 'prompt' | 'response' | 'promptPrivacy' | 'bodyPlace';
type Encoded = 'receivedAt' | 'labels' | 'costNanoUsd' | 'price' | 'providerCalls' | 'deviationReceipts';

export interface StoredRow extends Omit<LogRow, Named | Texts | Encoded> {
  readonly apiKeyId: number | null;
  readonly receivedAtMicros: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly costNanoUsd: string | null;
  readonly price: string | null;
  readonly providerCalls: string | null;
  readonly deviationReceipts: string | null;
}

/** Decodes values that ClickHouse's JSON cannot express: UUIDs, timestamps, large integers and nested values. */
export function decodeRow({
  apiKeyId: _,
  receivedAtMicros,
  ...row
}: StoredRow): Omit<LogRow, Named | Texts> & OwnRow {
  return {
    ...row,
    id: toUuid(row.id),
    receivedAt: toDate(receivedAtMicros),
    labels: Object.keys(row.labels).length === 0 ? null : row.labels,
    costNanoUsd: row.costNanoUsd === null ? null : BigInt(row.costNanoUsd),
    price: parse(row.price),
    providerCalls: parse(row.providerCalls),
    deviationReceipts: parse(row.deviationReceipts),
  };
}

const parse = (json: string | null) => (json === null ? null : JSON.parse(json));

/** Converts a timestamp in microseconds, discarding fractions of a millisecond. */
export function toDate(micros: string): Date {
  return new Date(Math.floor(Number(micros) / 1000));
}
