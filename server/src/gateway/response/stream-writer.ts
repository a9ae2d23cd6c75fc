import type { GatewayError } from '#errors/gateway-error.ts';
import type { AnswerFailure } from '#protocols/canonical/response.ts';
import type { StreamEvent } from '#protocols/canonical/stream-event.ts';
import type { PassedFrames } from '#protocols/protocol.ts';
import { restoreToolName } from '#protocols/translation/tool-names.ts';
import type { FramedEvent } from '#upstream/framed-event.ts';
import type { AttemptedCompletion } from '../exchange.ts';
import { mayPassFailure } from '../provider-call/provider-failure.ts';
import { createAnswerContext } from './answer-context.ts';
import { toErrorFacts } from './answer-error.ts';

/** Writes a stream for the caller: unchanged, or in the caller's protocol. */
export interface StreamWriter {
  /** Returns the caller's bytes of an event; empty for none. */
  write(event: FramedEvent, meaning: readonly StreamEvent[]): Buffer | string;
  /** Returns the end of a complete stream; `pending` holds events buffered by its decoder. */
  close(pending: readonly StreamEvent[], hasEnded: boolean): string;
  /** Returns the end of a broken stream; `failure` is the provider's own, `null` if the stream was cut. */
  fail(error: GatewayError, failure: AnswerFailure | null): string;
}

export function createStreamWriter(exchange: AttemptedCompletion): StreamWriter {
  return exchange.attempt.isPassThrough ? passThrough(exchange) : translate(exchange);
}

/** A provider's own error passes like its other events. Only a stream that was cut gets an error of the gateway. */
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
      isWithheld = error?.type === 'error' && !mayPassFailure(error, event.raw, attempt);
      if (isWithheld) return '';
      if (meaning[0]?.type === 'start') passed.start = meaning[0];
      passed.last = event;
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

function translate(exchange: AttemptedCompletion): StreamWriter {
  const encoder = exchange.route.protocol.caller.createStreamEncoder(createAnswerContext(exchange));
  const { callerTools } = exchange.attempt;
  const encode = (events: readonly StreamEvent[]) =>
    events.map((event) => encoder.encode(restoreToolName(event, callerTools))).join('');
  return {
    // `close` and `fail` write the end, since some protocols have no end marker and an error needs the gateway's words.
    write: (_, meaning) => encode(meaning.filter(({ type }) => type !== 'end' && type !== 'error')),
    close: (pending) => encode([...pending, { type: 'end' }]),
    // Uses the encoder, since an error may have to repeat earlier content.
    fail: (error) => encode([{ type: 'error', ...toErrorFacts(error) }]),
  };
}
