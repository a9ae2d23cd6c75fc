import type { GatewayError } from '#errors/gateway-error.ts';
import type { StreamEvent } from '#protocols/canonical/stream-event.ts';
import { restoreToolName } from '#protocols/translation/tool-names.ts';
import type { FramedEvent } from '#upstream/framed-event.ts';
import type { AttemptedCompletion } from '../exchange.ts';
import { createAnswerContext } from './answer-context.ts';
import { toErrorFacts } from './answer-error.ts';

/** Writes a stream for the caller: unchanged, or in the caller's protocol. */
export interface StreamWriter {
  /** Returns the caller's bytes of an event; empty for none. */
  write(event: FramedEvent, meaning: readonly StreamEvent[]): Buffer | string;
  /** Returns the end of a complete stream; `pending` holds events buffered by its decoder. */
  close(pending: readonly StreamEvent[], hasEnded: boolean): string;
  /** Returns the end of a broken stream. */
  fail(error: GatewayError): string;
}

export function createStreamWriter(exchange: AttemptedCompletion): StreamWriter {
  return exchange.attempt.isPassThrough ? passThrough(exchange) : translate(exchange);
}

function passThrough({ completion, id, route }: AttemptedCompletion): StreamWriter {
  const isUnasked = ([first, second]: readonly StreamEvent[]) =>
    !completion.wantsUsage && second === undefined && first?.type === 'usage' && first.isAlone === true;
  const reframe = route.protocol.caller.createReframer?.();
  return {
    write(event, meaning) {
      if (isUnasked(meaning)) return '';
      return reframe ? reframe(event) : event.raw;
    },
    close: (_, hasEnded) => (hasEnded ? '' : (route.protocol.caller.streamEnd ?? '')),
    fail: (error) => route.protocol.caller.encodeStreamError(toErrorFacts(error), id),
  };
}

function translate(exchange: AttemptedCompletion): StreamWriter {
  const encoder = exchange.route.protocol.caller.createStreamEncoder(createAnswerContext(exchange));
  const { callerTools } = exchange.attempt;
  const encode = (events: readonly StreamEvent[]) =>
    events.map((event) => encoder.encode(restoreToolName(event, callerTools))).join('');
  return {
    // `close` writes the end, since some protocols have no end marker.
    write: (_, meaning) => encode(meaning.filter(({ type }) => type !== 'end')),
    close: (pending) => encode([...pending, { type: 'end' }]),
    // Uses the encoder, since an error may have to repeat earlier content.
    fail: (error) => encode([{ type: 'error', ...toErrorFacts(error) }]),
  };
}
