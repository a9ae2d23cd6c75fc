import type { LogEntry } from '@sluice/contract';
import type { LogRow } from './store.ts';

export function toLogEntry(row: LogRow): LogEntry {
  return {
    id: row.id,
    timestamp: row.receivedAt.toISOString(),
    user_id: row.userId,
    user_name: row.userName,
    user_email: row.userEmail,
    task_id: row.taskId,
    task_title: row.taskTitle,
    prompt: row.prompt,
    response: row.response,
    model: row.model,
    status: row.status,
    http_status: row.httpStatus,
    error_code: row.errorCode,
    error_message: row.errorMessage,
    response_time_ms: row.responseTimeMs,
    first_byte_ms: row.firstByteMs,
    prompt_tokens: row.promptTokens,
    completion_tokens: row.completionTokens,
    openai_tokens_used: row.promptTokens + row.completionTokens,
    usage_source: row.usageSource,
    is_stream: row.isStream,
    provider_key: row.providerKey,
    provider_instance_name: row.providerInstanceName,
    api_key_name: row.apiKeyName,
    client_request_id: row.clientRequestId,
    intent_classification: row.intentClassification,
    confidence_score: row.confidenceScore,
    corrected_intent: row.correctedIntent,
    user_score_before: row.userScoreBefore,
    user_score_after: row.userScoreAfter,
    deviation_score_delta: row.deviationScoreDelta,
    deviation_receipts: row.deviationReceipts,
  };
}
