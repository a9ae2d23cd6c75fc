import { failureOf } from '../canonical/response.ts';
import type { StreamDecoder, StreamEvent } from '../canonical/stream-event.ts';
import { readFailure } from './errors.ts';
import { createAnswerReader } from './response.ts';
import { parseAnswer } from './wire.ts';

/** An incomplete stream produces no `finish` and `end` events. */
export function createStreamDecoder(): StreamDecoder {
  const answer = createAnswerReader();
  let isOver = false;

  const endWith = (last: StreamEvent): StreamEvent[] => {
    isOver = true;
    return [...answer.close(), last];
  };

  return {
    decode({ data }) {
      if (isOver || data === '') return [];
      const line = parseAnswer(data);
      if (!line) return endWith(notJson);
      if (line.error != null) return endWith({ type: 'error', ...readFailure(line) });
      const events = answer.read(line);
      const last = events.at(-1);
      if (last?.type !== 'finish') return events;
      // The model was only loaded or unloaded, so there is no response to finish.
      if (last.finish.reason === 'error')
        return [...events.slice(0, -1), ...endWith({ type: 'error', ...failureOf(last.finish) })];
      return [...events, ...endWith({ type: 'end' })];
    },
    end: answer.close,
  };
}

const notJson: StreamEvent = {
  type: 'error',
  code: 'upstream_invalid_response',
  message: 'The provider sent a line that is not JSON.',
};
