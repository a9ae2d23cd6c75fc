import type { StreamEvent } from '#protocols/canonical/stream-event.ts';
import type { FramedEvent } from '#upstream/framed-event.ts';
import { describeAnswer } from './answer-context.ts';
import type { AttemptedCompletion } from './pipeline/attempt.ts';

/** How a stream leaves for the caller: as it came, or in the caller's protocol. */
export interface StreamOutlet {
  /** What the caller gets of an event and what it means; empty for nothing. */
  write(event: FramedEvent, meaning: readonly StreamEvent[]): Buffer | string;
  /** What ends a stream that is whole; `owed` is what its decoder has held back. */
  close(owed: readonly StreamEvent[], hasEnded: boolean): string;
}

export function createStreamOutlet(exchange: AttemptedCompletion): StreamOutlet {
  return exchange.attempt.isPassThrough ? passThrough(exchange) : translate(exchange);
}

function passThrough({ completion, route }: AttemptedCompletion): StreamOutlet {
  const isUnasked = ([first, second]: readonly StreamEvent[]) =>
    !completion.wantsUsage && second === undefined && first?.type === 'usage' && first.isAlone === true;
  return {
    write: ({ raw }, meaning) => (isUnasked(meaning) ? '' : raw),
    close: (_, hasEnded) => (hasEnded ? '' : (route.protocol.caller.streamEnd ?? '')),
  };
}

function translate(exchange: AttemptedCompletion): StreamOutlet {
  const encoder = exchange.route.protocol.caller.createStreamEncoder(describeAnswer(exchange));
  const encode = (events: readonly StreamEvent[]) => events.map((event) => encoder.encode(event)).join('');
  return {
    // Its end is written by `close`, since some protocols have no marker of their own for it.
    write: (_, meaning) => encode(meaning.filter(({ type }) => type !== 'end')),
    close: (owed) => encode([...owed, { type: 'end' }]),
  };
}
