import { GatewayError } from '#errors/gateway-error.ts';
import type { StreamTap } from '#protocols/canonical/response.ts';
import { scrubSecrets } from '#upstream/scrub-secrets.ts';
import { SseSplitter } from '#upstream/sse.ts';
import type { UpstreamError } from '#upstream/upstream-error.ts';
import { answerFacts } from './answer-error.ts';
import type { Attempted } from './pipeline/attempt.ts';
import { describeUpstreamError } from './provider-failure.ts';
import { keepText } from './request-record.ts';

/**
 * Passes a stream on, event by event, at the caller's pace: while the caller's socket is full the provider is paused,
 * so a stream holds no more than the socket buffers and one event. Resolves when the caller has all there is to have.
 * @throws GatewayError only while nothing has been sent, so that the caller still gets a proper status.
 */
export async function relayStream(exchange: Attempted): Promise<void> {
  const { completion, record, route, upstream } = exchange;
  const name = record.providerInstanceName ?? '';
  const contentType = String(upstream.headers['content-type'] ?? '');
  if (!contentType.startsWith('text/event-stream')) {
    upstream.body.abort();
    throw new GatewayError(
      'upstream_invalid_response',
      `The provider "${name}" answered a streaming request with ${contentType || 'no content type'}.`,
    );
  }
  const tap = route.protocol.createStreamTap({ wantsUsage: completion.wantsUsage });
  try {
    const failure = await pump(exchange, tap);
    finish(exchange, tap, failure);
  } finally {
    note(exchange, tap);
  }
}

/** Moves events until the stream ends; resolves with what broke it, or `null`. */
function pump(
  { record, response, startedMs, upstream }: Attempted,
  tap: StreamTap,
): Promise<UpstreamError | null> {
  const splitter = new SseSplitter();
  const { promise, resolve } = Promise.withResolvers<UpstreamError | null>();
  const onDrain = () => upstream.body.resume();
  response.on('drain', onDrain);
  upstream.body.consume({
    onData(chunk) {
      let isFlowing = true;
      for (const event of splitter.feed(chunk)) {
        const isForCaller = tap.accept(event.data);
        if (tap.state.error !== null) {
          upstream.body.abort();
          break;
        }
        if (!isForCaller) continue;
        if (!response.headersSent) {
          record.firstByteMs = performance.now() - startedMs;
          response.writeHead(200, streamHeaders);
        }
        record.responseBytes += event.raw.length;
        isFlowing = response.write(event.raw) && isFlowing;
      }
      return isFlowing;
    },
    onEnd: () => resolve(null),
    onError: resolve,
  });
  return promise.finally(() => response.off('drain', onDrain));
}

const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

// A stream that broke is never closed as if it were whole: no end marker, an error in its place (protocol note G5).
function finish(exchange: Attempted, tap: StreamTap, failure: UpstreamError | null): void {
  const { departure, record, response, route } = exchange;
  // Some callers hang up at the end marker: theirs was a whole answer.
  if (departure.aborted && !tap.state.isClosed) return;
  const error = describeBreak(exchange, tap, failure);
  if (!error) {
    record.status = 'success';
    record.httpStatus = 200;
    if (!response.headersSent) response.writeHead(200, streamHeaders);
    response.end(tap.state.isClosed ? undefined : route.protocol.streamEnd);
    return;
  }
  if (!response.headersSent) throw error;
  record.httpStatus = 200;
  record.errorCode = error.code;
  record.errorMessage = keepText(error.message);
  response.end(route.protocol.encodeStreamError(answerFacts(error)));
}

function describeBreak(
  { record }: Attempted,
  tap: StreamTap,
  failure: UpstreamError | null,
): GatewayError | null {
  const name = record.providerInstanceName ?? '';
  if (tap.state.error !== null) {
    return new GatewayError(
      'upstream_error',
      `The provider "${name}" broke off its answer: ${scrubSecrets(tap.state.error)}`,
    );
  }
  if (tap.state.isFinished || tap.state.isClosed) return null;
  if (failure) return describeUpstreamError(failure, name);
  return new GatewayError('upstream_error', `The provider "${name}" ended its answer without finishing it.`);
}

function note({ record }: Attempted, { state }: StreamTap): void {
  record.response = state.text === '' ? null : keepText(state.text);
  record.usage = state.usage ?? {
    inputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    outputTokens: state.outputPieces,
    reasoningTokens: 0,
  };
  record.usageSource = state.usage ? 'provider' : 'partial';
}
