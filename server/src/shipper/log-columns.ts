import type { ProviderCall } from '@sluice/contract';
import type { PlacedRecord } from '#body-store/write-bodies.ts';
import {
  bigint,
  boolean,
  bytea,
  type CopyColumn,
  column,
  float8,
  integer,
  jsonb,
  rawBytea,
  real,
  smallint,
  text,
  timestamptz,
  uuid,
} from '#db/binary-copy.ts';
import { compressText } from '#domain/compressed-text.ts';
import type { ScoreChange } from '#domain/deviation/score.ts';
import type { ProviderCall as RecordedCall } from '#gateway/exchange.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { truncateForLog } from '#gateway/request-log/truncate-for-log.ts';
import { sumInputTokens } from '#protocols/canonical/usage.ts';
import { toScoreColumns } from './fold-scores.ts';

export interface LogRow {
  readonly record: PlacedRecord;
  readonly score: ReturnType<typeof toScoreColumns>;
}

/** Values of a row whose content the database rejected: empty for all fields that callers or providers control. */
export const noTexts = {
  clientRequestId: null,
  taskId: null,
  labels: null,
  modelRequested: null,
  model: null,
  errorMessage: null,
  usage: null,
  usageSource: 'none',
  prompt: null,
  response: null,
  requestBody: null,
} satisfies Partial<RequestRecord>;

export function toLogRow(record: PlacedRecord, change: ScoreChange | undefined): LogRow {
  return { record, score: toScoreColumns(change) };
}

export const roundToMicroseconds = (ms: number | null): number | null =>
  ms === null ? null : Math.round(ms * 1000) / 1000;

export const toJson = (value: object | null | undefined): string | null =>
  value ? JSON.stringify(value) : null;

export function toProviderCall({ startedMs, durationMs, ...call }: RecordedCall): ProviderCall {
  return {
    provider_instance_name: call.instanceName,
    provider_key: call.providerKey,
    model: call.model,
    started_ms: Math.round(startedMs * 10) / 10,
    duration_ms: Math.round(durationMs * 10) / 10,
    http_status: call.httpStatus,
    error_code: call.errorCode,
    cause: call.cause,
    message: call.message === null ? null : truncateForLog(call.message),
  };
}

export const logColumns: readonly CopyColumn<LogRow>[] = [
  column('id', uuid, ({ record }) => record.id),
  column('tenant_id', integer, ({ record }) => record.tenantId),
  column('user_id', integer, ({ record }) => record.userId),
  column('api_key_id', integer, ({ record }) => record.apiKeyId),
  column('task_id', integer, ({ record }) => record.taskId),
  column('team_id', integer, ({ record }) => record.teamId),
  column('labels', jsonb, ({ record }) => toJson(record.labels)),
  column('llm_provider_id', integer, ({ record }) => record.llmProviderId),
  column('provider_key', text, ({ record }) => record.providerKey),
  column('provider_instance_name', text, ({ record }) => record.providerInstanceName),
  column('protocol', text, ({ record }) => record.protocol),
  column('operation', text, ({ record }) => record.operation),
  column('model_requested', text, ({ record }) => record.modelRequested),
  column('model', text, ({ record }) => record.model ?? record.modelRequested),
  column('downgraded_by_budget_id', integer, ({ record }) => record.downgradedByBudgetId ?? null),
  column('status', text, ({ record }) => record.status),
  column('http_status', smallint, ({ record }) => record.httpStatus),
  column('error_code', text, ({ record }) => record.errorCode),
  column('error_message', text, ({ record }) => record.errorMessage),
  column('is_stream', boolean, ({ record }) => record.isStream),
  column('attempts', smallint, ({ record }) => record.attempts),
  column('provider_calls', jsonb, ({ record }) => toJson(record.providerCalls?.map(toProviderCall))),
  column('repeats', integer, ({ record }) => record.repeats),
  column('received_at', timestamptz, ({ record }) => record.receivedAtMs),
  column('first_byte_ms', real, ({ record }) => roundToMicroseconds(record.firstByteMs)),
  column('response_time_ms', real, ({ record }) => roundToMicroseconds(record.responseTimeMs)),
  column('prompt_tokens', integer, ({ record: { usage } }) => (usage ? sumInputTokens(usage) : 0)),
  column('cache_read_tokens', integer, ({ record }) => record.usage?.cacheReadTokens ?? 0),
  column('cache_write_tokens', integer, ({ record }) => record.usage?.cacheWriteTokens ?? 0),
  column('completion_tokens', integer, ({ record }) => record.usage?.outputTokens ?? 0),
  column('reasoning_tokens', integer, ({ record }) => record.usage?.reasoningTokens ?? 0),
  column('usage_source', text, ({ record }) => record.usageSource),
  column('intent_classification', text, ({ record }) => record.intent),
  column('confidence_score', real, ({ record }) => record.confidence),
  column('cost_nano_usd', bigint, ({ record }) => record.costNanoUsd && BigInt(record.costNanoUsd)),
  column('is_service_managed', boolean, ({ record }) => record.isServiceManaged),
  column('price', jsonb, ({ record }) => toJson(record.price)),
  column('client_request_id', text, ({ record }) => record.clientRequestId),
  column('user_score_before', float8, ({ score }) => score.user_score_before),
  column('user_score_after', float8, ({ score }) => score.user_score_after),
  column('deviation_score_delta', float8, ({ score }) => score.deviation_score_delta),
  column('deviation_receipts', jsonb, ({ score }) => toJson(score.deviation_receipts)),
];

export const bodyColumns: readonly CopyColumn<PlacedRecord>[] = [
  column('id', uuid, ({ id }) => id),
  column('tenant_id', integer, ({ tenantId }) => tenantId),
  column('prompt', text, ({ prompt }) => prompt),
  column('response', text, ({ response }) => response),
  column('request_body_zstd', rawBytea, ({ requestBody, prompt }) =>
    requestBody === null ? null : compressText(String(requestBody), prompt),
  ),
  column('request_bytes', integer, ({ requestBytes }) => requestBytes),
  column('request_sha256', bytea, ({ requestSha256 }) => requestSha256),
  column('response_bytes', integer, ({ responseBytes }) => responseBytes),
  column('prompt_privacy', text, ({ promptPrivacy }) => promptPrivacy ?? 'full'),
  column('body_object', uuid, ({ bodyPlace }) => bodyPlace?.object ?? null),
  column('body_offset', integer, ({ bodyPlace }) => bodyPlace?.offset ?? null),
  column('body_length', integer, ({ bodyPlace }) => bodyPlace?.length ?? null),
  column('is_cut', boolean, ({ bodyPlace }) => bodyPlace?.isCut ?? null),
];
