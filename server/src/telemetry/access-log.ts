import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import type { Logger } from '#platform/logger.ts';

/** Logs one line per finished request: numbers and names defined by Sluice, no text of callers or providers. */
export function logAccess(log: Logger, record: RequestRecord): void {
  const { usage } = record;
  log.info(
    {
      requestId: record.id,
      tenantId: record.tenantId,
      userId: record.userId,
      apiKeyId: record.apiKeyId,
      protocol: record.protocol,
      operation: record.operation,
      provider: record.providerKey,
      // The requested model may be any text; the resolved one is a model of an instance.
      model: record.model,
      isStream: record.isStream,
      status: record.status,
      httpStatus: record.httpStatus,
      code: record.errorCode,
      durationMs: Math.round(record.responseTimeMs),
      firstByteMs: record.firstByteMs === null ? null : Math.round(record.firstByteMs),
      attempts: record.attempts,
      inputTokens: usage ? usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens : 0,
      outputTokens: usage?.outputTokens ?? 0,
    },
    'request',
  );
}
