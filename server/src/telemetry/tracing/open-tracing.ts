import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingConfig } from '#config/config.ts';
import type { Logger } from '#platform/logger.ts';
import { waitAtMost } from '#platform/wait.ts';
import { BoundedSpans } from './bounded-spans.ts';
import { spanRequest } from './span-request.ts';
import type { Tracing } from './tracing.ts';

const exportTimeoutMs = 10_000;
const closeMs = 3_000;
const attributeLengthMax = 256;

export interface TracingOptions {
  readonly config: TracingConfig;
  readonly version: string;
  readonly node: string;
  readonly log: Logger;
}

/**
 * Opens tracing. The module is imported only if an endpoint is set, since its libraries take memory and time to load.
 */
export function openTracing({ config, version, node, log }: TracingOptions): Tracing {
  const { endpoint, headers, serviceName } = config;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: exportTimeoutMs,
    concurrencyLimit: 2,
  });
  const spans = new BoundedSpans(exporter, log);
  const provider = new TracerProvider({
    sampler: createSampler(config),
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version,
      'service.instance.id': node,
    }),
    spanLimits: { attributeValueLengthLimit: attributeLengthMax },
    spanProcessors: [spans],
  });
  const tracer = provider.getTracer('sluice', version);
  return {
    record: (record, calls, { traceparent }) => spanRequest(tracer, record, calls, traceparent),
    droppedSpans: () => spans.dropped,
    close: () => waitAtMost(closeMs, provider.shutdown()),
  };
}

function createSampler({ sampler, sampledRatio }: TracingConfig): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(sampledRatio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledRatio) });
  }
}
