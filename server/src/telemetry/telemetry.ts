import type { RequestObserver } from '#gateway/pipeline/settle.ts';
import type { ProviderReports } from '#gateway/provider-call/provider-reports.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import type { Logger } from '#platform/logger.ts';
import { sumInputTokens } from '#protocols/canonical/usage.ts';
import { type CircuitBreaker, readCircuitKey } from '#upstream/circuit-breaker.ts';
import { listRefusedInstances, logFailures } from './failure-log.ts';
import type { Metrics } from './metrics/catalogue.ts';
import { type ProcessMetrics, readPools, watchProcess } from './metrics/process-metrics.ts';
import { RequestMetrics } from './metrics/request-metrics.ts';
import type { Tracing } from './tracing/tracing.ts';

export interface TelemetryOptions {
  readonly circuits: Pick<CircuitBreaker, 'listOpen'>;
  readonly reports: Pick<ProviderReports, 'noteIncident'>;
  readonly findProviderKey: (instanceId: number) => string | undefined;
  readonly hasAccessLog: boolean;
  /** Tracing; `null` if it is not configured. */
  readonly tracing: Tracing | null;
  readonly queue: { readonly refused: number };
  readonly log: Logger;
}

export interface Telemetry {
  readonly observer: RequestObserver;
  readMetrics(): Metrics;
}

export function createTelemetry(options: TelemetryOptions): Telemetry {
  const { reports, hasAccessLog, tracing, log } = options;
  const requests = new RequestMetrics();
  const own = watchProcess('worker');
  return {
    observer: {
      onReceived: () => requests.begin(),
      onEnded(record, exchange) {
        const calls = exchange.calls?.made ?? [];
        requests.end(record, calls);
        if (hasAccessLog) logAccess(log, record);
        tracing?.record(record, calls, exchange.request.headers);
        if (record.status === 'success' && record.providerCalls === null) return;
        logFailures(log, record, calls);
        for (const { instanceId, kind } of listRefusedInstances(calls))
          reports.noteIncident(instanceId, kind);
      },
    },
    readMetrics: () => readWorkerMetrics(options, requests, own),
  };
}

function readWorkerMetrics(
  { circuits, findProviderKey, queue, tracing }: TelemetryOptions,
  requests: RequestMetrics,
  own: ProcessMetrics,
): Metrics {
  const open = new Map<string, number>();
  for (const key of circuits.listOpen()) {
    const provider = findProviderKey(readCircuitKey(key).instanceId) ?? 'other';
    open.set(provider, (open.get(provider) ?? 0) + 1);
  }
  return {
    ...requests.read(),
    sluice_shed_requests_total: [{ labels: {}, value: queue.refused }],
    ...own.read(),
    ...readPools(),
    sluice_circuits_open: [...open].map(([provider, value]) => ({ labels: { provider }, value })),
    sluice_telemetry_dropped_total: tracing
      ? [{ labels: { signal: 'spans' }, value: tracing.droppedSpans() }]
      : [],
  };
}

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
      // The resolved model of the instance is logged, since the requested model may be any text.
      model: record.model,
      isStream: record.isStream,
      status: record.status,
      httpStatus: record.httpStatus,
      code: record.errorCode,
      durationMs: Math.round(record.responseTimeMs),
      firstByteMs: record.firstByteMs === null ? null : Math.round(record.firstByteMs),
      attempts: record.attempts,
      inputTokens: usage ? sumInputTokens(usage) : 0,
      outputTokens: usage?.outputTokens ?? 0,
    },
    'request',
  );
}
