import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { ProviderCall } from '#gateway/exchange.ts';
import type { RequestRecord } from '#gateway/request-log/request-record.ts';
import { sumInputTokens } from '#protocols/canonical/usage.ts';

/**
 * Records a span for a finished request and a child span per provider call. If the caller sent a span, it is the
 * parent. Names and attributes follow the OpenTelemetry conventions for HTTP and generative AI, without any text of
 * prompts or responses.
 */
export function spanRequest(
  tracer: Tracer,
  record: RequestRecord,
  calls: readonly ProviderCall[],
  traceParent: unknown,
): void {
  const operation = operationNames[record.operation] ?? record.operation;
  const request = tracer.startSpan(
    `${operation} ${record.model ?? record.protocol}`,
    {
      kind: SpanKind.SERVER,
      startTime: record.receivedAtMs,
      attributes: {
        ...aiAttributes(operation, record.providerKey, record.model),
        'http.response.status_code': record.httpStatus,
        'sluice.request.id': record.id,
        'sluice.request.protocol': record.protocol,
        'sluice.request.status': record.status,
        'sluice.request.is_stream': record.isStream,
        ...usageAttributes(record),
      },
    },
    readParent(traceParent),
  );
  const endedMs = record.receivedAtMs + record.responseTimeMs;
  if (request.isRecording()) {
    const parent = trace.setSpan(ROOT_CONTEXT, request);
    for (const [index, call] of calls.entries())
      spanCall(tracer, parent, { record, call, operation, isLast: index === calls.length - 1, endedMs });
  }
  if (record.errorCode) request.setAttribute('error.type', record.errorCode);
  if (record.httpStatus >= 500 || record.status === 'error') fail(request, record.errorCode);
  request.end(endedMs);
}

interface CallOfRequest {
  readonly record: RequestRecord;
  readonly call: ProviderCall;
  readonly operation: string;
  readonly isLast: boolean;
  readonly endedMs: number;
}

function spanCall(
  tracer: Tracer,
  parent: Context,
  { record, call, operation, isLast, endedMs }: CallOfRequest,
): void {
  const startedMs = record.receivedAtMs + call.startedMs;
  const isAnswered = call.errorCode === null;
  const span = tracer.startSpan(
    `${operation} ${call.model}`,
    {
      kind: SpanKind.CLIENT,
      startTime: startedMs,
      attributes: {
        ...aiAttributes(operation, call.providerKey, call.model),
        ...(call.httpStatus !== null && { 'http.response.status_code': call.httpStatus }),
        ...(isAnswered && isLast && usageAttributes(record)),
      },
    },
    parent,
  );
  const errorCode = isAnswered && isLast ? record.errorCode : call.errorCode;
  if (errorCode !== null) {
    span.setAttribute('error.type', errorCode);
    fail(span, errorCode);
  }
  // The successful call ends with the request. A failed call ended after its own duration.
  span.end(isAnswered ? Math.max(endedMs, startedMs) : startedMs + call.durationMs);
}

const operationNames: Readonly<Record<string, string>> = {
  'chat.completions': 'chat',
  'responses.compact': 'compact',
  embeddings: 'embeddings',
  'tokens.count': 'count_tokens',
};

/** Provider names of the OpenTelemetry conventions. All other providers keep their own names. */
const providerNames: Readonly<Record<string, string>> = {
  'azure-openai': 'azure.ai.openai',
  azure: 'azure.ai.openai',
  google: 'gcp.gemini',
};

function aiAttributes(operation: string, providerKey: string | null, model: string | null): Attributes {
  return {
    'gen_ai.operation.name': operation,
    ...(providerKey !== null && {
      'gen_ai.provider.name':
        (Object.hasOwn(providerNames, providerKey) && providerNames[providerKey]) || providerKey,
    }),
    ...(model !== null && { 'gen_ai.request.model': model }),
  };
}

function usageAttributes({ usage }: RequestRecord): Attributes {
  if (usage === null) return {};
  return {
    'gen_ai.usage.input_tokens': sumInputTokens(usage),
    'gen_ai.usage.output_tokens': usage.outputTokens,
  };
}

const traceParentPattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Returns the caller's span if the caller sent a valid one. Otherwise the request starts a new trace. */
function readParent(traceParent: unknown): Context {
  const [, traceId = '', spanId = '', flags = ''] =
    typeof traceParent === 'string' ? (traceParentPattern.exec(traceParent) ?? []) : [];
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function fail(span: Span, code: string | null): void {
  span.setStatus({ code: SpanStatusCode.ERROR, ...(code !== null && { message: code }) });
}
