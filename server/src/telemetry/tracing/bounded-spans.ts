import {
  BatchSpanProcessor,
  type ReadableSpan,
  type Span,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '#platform/logger.ts';

/** Maximum number of spans that wait or are being sent. Further spans are dropped. */
const queueMax = 2_048;
const sendEveryMs = 1_000;

/** Passes spans to the exporter in batches without blocking. Spans that exceed the queue are dropped and counted. */
export class BoundedSpans implements SpanProcessor {
  readonly #batches: BatchSpanProcessor;
  readonly #log: Logger;
  #open = 0;
  #dropped = 0;

  constructor(exporter: SpanExporter, log: Logger) {
    this.#log = log;
    const counted: SpanExporter = {
      export: (spans, onResult) =>
        exporter.export(spans, (result) => {
          this.#open -= spans.length;
          if (result.code !== 0) this.#drop(spans.length, result.error);
          // Success is reported because dropped spans are logged here once and folded. The library would log each
          // batch.
          onResult({ code: 0 });
        }),
      shutdown: () => exporter.shutdown(),
    };
    this.#batches = new BatchSpanProcessor({
      exporter: counted,
      maxQueueSize: queueMax,
      scheduledDelayMillis: sendEveryMs,
    });
  }

  /** Number of spans dropped because the queue was full or the receiver rejected them. */
  get dropped(): number {
    return this.#dropped;
  }

  onStart(_span: Span): void {}

  onEnd(span: ReadableSpan): void {
    const isSampled = (span.spanContext().traceFlags & 1) === 1;
    if (!isSampled) return;
    if (this.#open >= queueMax) {
      this.#drop(1);
      return;
    }
    this.#open++;
    this.#batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#batches.shutdown();
  }

  #drop(count: number, error?: unknown): void {
    this.#dropped += count;
    const reason = error instanceof Error ? error.message : 'the queue is full';
    this.#log.warn(
      { reason, dropped: this.#dropped },
      'spans are dropped because the receiver does not accept them',
    );
  }
}
