import type { PlacedRecord } from '#body-store/write-bodies.ts';
import { compressText } from '#domain/compressed-text.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { sumInputTokens } from '#protocols/canonical/usage.ts';
import { toRowId } from '#request-log/clickhouse/row-id.ts';
import { type LogRow, roundToMicroseconds, toJson, toProviderCall } from './log-columns.ts';

/**
 * Returns the same values as in PostgreSQL's two tables. Columns without a value are omitted, because parsing a name
 * and `null` costs ClickHouse as much as parsing a number.
 */
export function toClickhouseRow(row: LogRow): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(toColumns(row)).filter(([, value]) => value !== null));
}

function toColumns({ record, score }: LogRow): Readonly<Record<string, unknown>> {
  return {
    id: String(toRowId(record.id)),
    tenant_id: record.tenantId,
    user_id: record.userId,
    api_key_id: record.apiKeyId,
    task_id: record.taskId,
    team_id: record.teamId,
    labels: Object.fromEntries(
      Object.entries(record.labels ?? {}).map(([name, value]) => [name, value.toWellFormed()]),
    ),
    llm_provider_id: record.llmProviderId,
    provider_key: record.providerKey,
    provider_instance_name: record.providerInstanceName,
    protocol: record.protocol,
    operation: record.operation,
    model_requested: wellFormed(record.modelRequested),
    model: wellFormed(record.model ?? record.modelRequested),
    downgraded_by_budget_id: record.downgradedByBudgetId ?? null,
    status: record.status,
    http_status: record.httpStatus,
    error_code: record.errorCode,
    error_message: wellFormed(record.errorMessage),
    is_stream: record.isStream,
    attempts: record.attempts,
    provider_calls: toJson(record.providerCalls?.map(toProviderCall)),
    repeats: record.repeats,
    received_at: toTimestamp(record.receivedAtMs),
    first_byte_ms: roundToMicroseconds(record.firstByteMs),
    response_time_ms: roundToMicroseconds(record.responseTimeMs),
    client_request_id: wellFormed(record.clientRequestId),
    ...toUsageColumns(record),
    ...toTextColumns(record),
    user_score_before: score.user_score_before,
    user_score_after: score.user_score_after,
    deviation_score_delta: score.deviation_score_delta,
    deviation_receipts: toJson(score.deviation_receipts),
  };
}

function toUsageColumns(record: RequestRecord) {
  const { usage } = record;
  return {
    prompt_tokens: usage ? sumInputTokens(usage) : 0,
    cache_read_tokens: usage?.cacheReadTokens ?? 0,
    cache_write_tokens: usage?.cacheWriteTokens ?? 0,
    completion_tokens: usage?.outputTokens ?? 0,
    reasoning_tokens: usage?.reasoningTokens ?? 0,
    usage_source: record.usageSource,
    cost_nano_usd: record.costNanoUsd,
    is_service_managed: record.isServiceManaged,
    price: toJson(record.price),
    intent_classification: record.intent,
    confidence_score: record.confidence,
  };
}

function toTextColumns(record: PlacedRecord) {
  const { bodyPlace, prompt, requestBody } = record;
  return {
    prompt: wellFormed(prompt),
    response: wellFormed(record.response),
    request_body: requestBody === null ? null : compressText(String(requestBody), prompt).toString('base64'),
    request_bytes: record.requestBytes,
    request_sha256: record.requestSha256,
    response_bytes: record.responseBytes,
    prompt_privacy: record.promptPrivacy ?? 'full',
    body_object: bodyPlace?.object ?? null,
    body_offset: bodyPlace?.offset ?? null,
    body_length: bodyPlace?.length ?? null,
    is_cut: bodyPlace?.isCut ?? false,
  };
}

/** UTF-8 cannot encode unpaired surrogates. */
const wellFormed = (text: string | null): string | null => text?.toWellFormed() ?? null;

const toTimestamp = (ms: number): string => new Date(ms).toISOString().replace('T', ' ').replace('Z', '');
