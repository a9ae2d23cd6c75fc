import { GatewayError } from '#errors/gateway-error.ts';
import type { StreamDecoder } from '#protocols/canonical/stream-event.ts';
import { NdjsonSplitter } from '#upstream/ndjson.ts';
import { type FramedEvent, SseSplitter, type StreamSplitter } from '#upstream/sse.ts';
import { UpstreamError } from '#upstream/upstream-error.ts';
import { type Answer, type AttemptedCompletion, addResult, failedInside, succeeded } from '../exchange.ts';
import type { AbandonedCalls, AbandonedLimits } from '../provider-call/abandoned-calls.ts';
import { answerFailureError, upstreamCallError } from '../provider-call/provider-failure.ts';
import { truncateForLog } from '../request-log/truncate-for-log.ts';
import { findCutOffError } from '../running-requests.ts';
import type { ResponseHold } from './response-hold.ts';
import { StreamProgress } from './stream-progress.ts';
import { beginStream, createStreamWriter, type StreamWriter } from './stream-writer.ts';

interface Stream {
  readonly decoder: StreamDecoder;
  readonly writer: StreamWriter;
  readonly progress: StreamProgress;
  readonly answer: Answer;
  readonly hold: ResponseHold;
  /** Whether the caller was still connected when the end marker or the provider's error arrived. */
  isDelivered: boolean;
}

/**
 * Relays a stream event by event at the caller's pace: while the caller's socket is full, the provider is paused.
 * Once the caller has disconnected, the rest is read only for its usage.
 * @throws GatewayError only while nothing has been sent, so that the caller still gets a proper status
 */
export async function relayStream(
  exchange: AttemptedCompletion,
  abandoned: Pick<AbandonedCalls, 'limits'>,
  hold: ResponseHold,
): Promise<void> {
  requireStream(exchange);
  const stream: Stream = {
    decoder: exchange.attempt.protocol.provider.createStreamDecoder(),
    writer: createStreamWriter(exchange),
    progress: new StreamProgress(),
    answer: startAnswer(),
    hold,
    isDelivered: false,
  };
  addResult(exchange, 'relay', { answer: stream.answer });
  try {
    const failure = await relayEvents(exchange, stream, abandoned.limits);
    endStream(exchange, stream, failure);
  } finally {
    recordAnswer(stream);
  }
}

/**
 * Maximum size of a stream, larger than any model's output in an hour. Also bounds a stream that contains only
 * comments.
 */
const streamMaxBytes = 256 * 1024 * 1024;

const contentTypes = {
  sse: /^text\/event-stream\b/i,
  ndjson: /^application\/(x-ndjson|jsonl|json)\b/i,
} as const;

function requireStream({ attempt, upstream }: AttemptedCompletion): void {
  const contentType = String(upstream.headers['content-type'] ?? '');
  if (contentTypes[attempt.protocol.provider.framing].test(contentType)) return;
  upstream.body.abort();
  throw new GatewayError(
    'upstream_invalid_response',
    `The provider "${attempt.instance.name}" responded to a streaming request with ${contentType || 'no content type'}. Retry; if the error persists, ask your administrator to check the endpoint of the provider.`,
  );
}

/** Relays events until the stream ends. Resolves with the error that broke the stream, or `null`. */
function relayEvents(
  exchange: AttemptedCompletion,
  stream: Stream,
  { bytesMax: abandonedBytesMax }: AbandonedLimits,
): Promise<UpstreamError | null> {
  const { abort, attempt, response, upstream } = exchange;
  const splitter = attempt.protocol.provider.framing === 'sse' ? new SseSplitter() : new NdjsonSplitter();
  const { promise, resolve } = Promise.withResolvers<UpstreamError | null>();
  const measure = () => stream.hold.resize(countBuffered(exchange, stream, splitter));
  const onDrain = () => {
    measure();
    upstream.body.resume();
  };
  // No usage follows the end marker.
  const stopReading = () => abort.hasLeft && stream.progress.hasEnded && abort.abort();
  const onClose = () => stopReading() || onDrain();
  response.on('drain', onDrain);
  response.on('close', onClose);
  // Events of one chunk are written together, since a write per event would cost more than the event itself.
  const pass = (events: readonly FramedEvent[]) => {
    const outputs = readAll(exchange, stream, events);
    const { error, hasEnded } = stream.progress;
    stream.isDelivered ||= (hasEnded || error !== null) && !abort.hasLeft;
    stopReading();
    return send(exchange, stream.answer, joinOutputs(outputs));
  };
  let receivedBytes = 0;
  let abandonedBytes = 0;
  upstream.body.consume({
    onData(chunk) {
      receivedBytes += chunk.length;
      if (abort.hasLeft) abandonedBytes += chunk.length;
      if (receivedBytes > streamMaxBytes) throw new UpstreamError('body_too_large', 'after_first_byte');
      if (abandonedBytes > abandonedBytesMax) abort.abort();
      const wantsMore = pass(splitter.feed(chunk));
      measure();
      return wantsMore;
    },
    onEnd() {
      pass(splitter.end());
      resolve(null);
    },
    onError: resolve,
  });
  return promise.finally(() => {
    response.off('drain', onDrain);
    response.off('close', onClose);
  });
}

/**
 * Returns the number of bytes that were received but not relayed, are kept for the log row, or are not yet read by
 * the caller.
 */
function countBuffered(
  { attempt, response }: AttemptedCompletion,
  { progress: { keptBytes, keptTextBytes } }: Stream,
  { heldBytes }: StreamSplitter,
): number {
  return heldBytes + keptBytes + (attempt.isPassThrough ? 0 : keptTextBytes) + response.writableLength;
}

function readAll(
  { response, upstream }: AttemptedCompletion,
  stream: Stream,
  events: readonly FramedEvent[],
): (Buffer | string)[] {
  if (stream.progress.error !== null) return [];
  const outputs: (Buffer | string)[] = [];
  for (const event of events) {
    if (isKeepAlive(event)) continue;
    const output = readOne(stream, event);
    const hasFailed = stream.progress.error !== null;
    // An error before any other event becomes an HTTP status.
    const isSent = !hasFailed || response.headersSent || outputs.some(({ length }) => length > 0);
    if (isSent) outputs.push(output);
    if (!hasFailed) continue;
    upstream.body.abort();
    break;
  }
  return outputs;
}

/** Some servers send empty events to keep a connection alive, but clients expect JSON in each event. */
const isKeepAlive = ({ data }: FramedEvent) => !/\S/.test(data);

function readOne({ decoder, writer, progress }: Stream, event: FramedEvent): Buffer | string {
  const meaning = decoder.decode(event);
  progress.record(meaning, event.data.length);
  return writer.write(event, meaning);
}

function joinOutputs(outputs: readonly (Buffer | string)[]): Buffer | string {
  const [first = ''] = outputs;
  if (outputs.length <= 1) return first;
  return Buffer.concat(outputs.map((output) => (typeof output === 'string' ? Buffer.from(output) : output)));
}

/** Returns `false` when the caller's socket is full. */
function send(exchange: AttemptedCompletion, answer: Answer, bytes: Buffer | string): boolean {
  const { abort, response, startedMs } = exchange;
  if (bytes.length === 0 || abort.hasLeft) return true;
  answer.firstByteMs ??= performance.now() - startedMs;
  if (!response.headersSent) beginStream(exchange);
  answer.bytes += Buffer.byteLength(bytes);
  return response.write(bytes);
}

// A broken stream must not look complete, so it gets an error instead of an end marker.
function endStream(
  exchange: AttemptedCompletion,
  { answer, decoder, isDelivered, writer, progress }: Stream,
  failure: UpstreamError | null,
): void {
  const { abort, response } = exchange;
  const pending = decoder.end();
  progress.record(pending);
  // Some callers receive the whole response and disconnect at the end marker.
  if (abort.hasLeft && !isDelivered) return;
  const error = findStreamError(exchange, progress, failure);
  if (!error) {
    answer.ending = succeeded;
    if (!response.headersSent) beginStream(exchange);
    response.end(writer.close(pending, progress.hasEnded));
    return;
  }
  if (!response.headersSent) throw error;
  answer.ending = failedInside(error.code, truncateForLog(error.message));
  response.end(writer.fail(error, progress.failure));
}

function findStreamError(
  { abort, attempt, likelyInputTokens }: AttemptedCompletion,
  { failure: reported, isWhole }: StreamProgress,
  failure: UpstreamError | null,
): GatewayError | null {
  const { name } = attempt.instance;
  if (reported !== null) return answerFailureError(reported, attempt, likelyInputTokens);
  if (isWhole) return null;
  const cutOff = findCutOffError(abort);
  if (cutOff) return cutOff;
  if (failure) return upstreamCallError(failure, name);
  return new GatewayError('upstream_error', `The provider "${name}" ended its response early. Please retry.`);
}

function startAnswer(): Answer {
  return {
    firstByteMs: null,
    usage: null,
    usageSource: 'none',
    text: null,
    written: null,
    imageCount: 0,
    bytes: 0,
    ending: null,
  };
}

function recordAnswer({ answer, progress }: Stream): void {
  answer.text = progress.text === '' ? null : truncateForLog(progress.text);
  answer.written = progress.hasOnlyFailed ? null : progress.written;
  answer.imageCount = progress.imageCount;
  Object.assign(answer, progress.reported);
}
