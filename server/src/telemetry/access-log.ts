import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import type { Logger } from '#platform/logger.ts';

/** One line for each request that has ended: numbers and names of ours, no text of anybody's. */
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
      // What was asked for may be any text; what it came down to is a model of an instance.
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
