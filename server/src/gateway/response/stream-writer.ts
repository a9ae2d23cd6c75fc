import type { ServerResponse } from 'node:http';
import type { GatewayError } from '#errors/gateway-error.ts';
import { parseObject } from '#json/json-value.ts';
import type { AnswerFailure } from '#protocols/canonical/response.ts';
import type { StreamEvent } from '#protocols/canonical/stream-event.ts';
import type { AnswerContext, PassedFrames } from '#protocols/protocol.ts';
import { createUnfinishedChoices } from '#protocols/translation/response-events.ts';
import { restoreToolName } from '#protocols/translation/tool-names.ts';
import type { FramedEvent } from '#upstream/sse.ts';
import type { AttemptedCompletion, Ended, Received } from '../exchange.ts';
import { mayPassFailure } from '../provider-call/provider-failure.ts';
import { toErrorFacts } from './answer-error.ts';

export interface StreamWriter {
  write(event: FramedEvent, meaning: readonly StreamEvent[]): Buffer | string;
  /** `pending` contains events buffered by the decoder. */
  close(pending: readonly StreamEvent[], hasEnded: boolean): string;
  /** `failure` is the provider's error, `null` if the stream was cut. */
  fail(error: GatewayError, failure: AnswerFailure | null): string;
}

export function createStreamWriter(exchange: AttemptedCompletion): StreamWriter {
  return exchange.attempt.isPassThrough ? passThrough(exchange) : translate(exchange);
}

/** Maximum length of the last event that is kept to encode an error after it. */
const passedLengthMax = 64 * 1024;

/** Passes the provider's own error through like other events. The gateway adds an error only if the stream was cut. */
function passThrough(exchange: AttemptedCompletion): StreamWriter {
  const { attempt, completion, route } = exchange;
  const { caller } = route.protocol;
  const passed: PassedFrames = { start: null, last: null, count: 0 };
  let isWithheld = false;
  const isUnasked = ([first, second]: readonly StreamEvent[]) =>
    !completion.wantsUsage && second === undefined && first?.type === 'usage' && first.isAlone === true;
  const reframe = caller.createReframer?.();
  return {
    write(event, meaning) {
      if (isUnasked(meaning)) return '';
      const error = meaning.at(-1);
      isWithheld =
        error?.type === 'error' && !(isReadable(event, error) && mayPassFailure(error, event.raw, attempt));
      if (isWithheld) return '';
      if (meaning[0]?.type === 'start') passed.start = meaning[0];
      passed.last = event.data.length > passedLengthMax ? null : event;
      passed.count++;
      return reframe ? reframe(event) : event.raw;
    },
    close: (_, hasEnded) => (hasEnded ? '' : (caller.streamEnd ?? '')),
    fail(error, failure) {
      if (failure && !isWithheld) return reframe ? (caller.streamEnd ?? '') : '';
      return caller.encodeStreamError(toErrorFacts(error), createAnswerContext(exchange), passed);
    },
  };
}

/**
 * Returns whether a failure is an error sent by the provider, as opposed to an event that the caller could not read
 * either.
 */
function isReadable({ data }: FramedEvent, { code }: AnswerFailure): boolean {
  return code !== 'upstream_invalid_response' && parseObject(data) !== null;
}

function translate(exchange: AttemptedCompletion): StreamWriter {
  const encoder = exchange.route.protocol.caller.createStreamEncoder(createAnswerContext(exchange));
  const { callerTools } = exchange.attempt;
  const encode = (events: readonly StreamEvent[]) =>
    events.map((event) => encoder.encode(restoreToolName(event, callerTools))).join('');
  const unfinished = createUnfinishedChoices();
  let opening: string | null = '';
  /** Returns the withheld text on the first call, then an empty string. */
  const open = () => {
    const held = opening ?? '';
    opening = null;
    return held;
  };
  return {
    // The end and errors are written by `close` and `fail`, since some protocols have no end marker and errors need
    // the message of the gateway.
    write(_, meaning) {
      const events = meaning.filter(({ type }) => type !== 'end' && type !== 'error');
      for (const event of events) unfinished.record(event);
      const text = encode(events);
      if (opening === null) return text;
      if (!events.every(isOpening)) return open() + text;
      // Withheld so that an immediate provider failure becomes an error with an HTTP status.
      opening += text;
      return '';
    },
    close(pending) {
      for (const event of pending) unfinished.record(event);
      return open() + encode([...pending, ...unfinished.finish(), { type: 'end' }]);
    },
    // Uses the encoder, since an error may have to repeat earlier content.
    fail: (error) => open() + encode([{ type: 'error', ...toErrorFacts(error) }]),
  };
}

const isOpening = ({ type }: StreamEvent) => type === 'start' || type === 'usage';

/** Starts a streaming response. From here on, errors are sent within the stream. */
export function beginStream({ head, route }: Pick<Received, 'head' | 'route'>): void {
  head.set('x-accel-buffering', 'no');
  head.send(200, route.protocol.caller.streamContentType);
}

export interface StreamKeepAlive {
  watch(exchange: Pick<Received, 'head' | 'response' | 'route'>): void;
}

/** Event-stream clients skip comments. Other framings have no comments. */
const comment = ': keep-alive\n\n';
const eventsType = /^text\/event-stream/;

interface Watched {
  readonly exchange: Pick<Received, 'head' | 'response' | 'route'>;
  writtenBytes: number;
}

/**
 * Writes a comment after at most `silentMaxMs` of silence. Before the first event, the comment starts the response.
 * One timer checks all streams, so events cause no additional cost.
 */
export function createStreamKeepAlive(silentMaxMs: number): StreamKeepAlive {
  const streams = new Map<ServerResponse, Watched>();
  let timer: NodeJS.Timeout | null = null;
  const look = () => {
    for (const watched of streams.values()) keepAlive(watched);
  };
  const forget = (response: ServerResponse) => {
    streams.delete(response);
    if (streams.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  return {
    watch(exchange) {
      const { response, route } = exchange;
      // A closed response emits no further `close` event and would never be removed from the list.
      if (response.closed || !eventsType.test(route.protocol.caller.streamContentType)) return;
      // Half of the maximum, so that a silent stream is detected in time.
      timer ??= setInterval(look, silentMaxMs / 2).unref();
      streams.set(response, { exchange, writtenBytes: Number.NaN });
      response.once('close', () => forget(response));
    },
  };
}

function keepAlive(watched: Watched): void {
  const { response } = watched.exchange;
  const writtenBytes = response.socket?.bytesWritten ?? 0;
  const isSilent = writtenBytes === watched.writtenBytes;
  watched.writtenBytes = writtenBytes;
  if (!isSilent || response.writableEnded || response.writableLength > 0) return;
  if (!response.headersSent) beginStream(watched.exchange);
  response.write(comment);
  watched.writtenBytes = response.socket?.bytesWritten ?? 0;
}

export function createAnswerContext({
  completion,
  id,
  receivedAtMs,
}: Pick<Ended, 'completion' | 'id' | 'receivedAtMs'>): AnswerContext {
  const asked = completion?.operation === undefined ? completion : null;
  return {
    requestId: id,
    model: completion?.model ?? '',
    nowSeconds: Math.floor(receivedAtMs / 1000),
    wantsUsage: asked?.wantsUsage === true,
    ...(asked?.repeatedFields && { repeatedFields: asked.repeatedFields }),
  };
}
