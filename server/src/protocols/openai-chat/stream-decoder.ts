import type { StreamDecoder, StreamEvent } from '../canonical/stream-event.ts';
import { createAnswerDecoder } from './answer-decoder.ts';
import { readFailure } from './errors.ts';
import { isError, parseAnswer } from './wire.ts';

export function createStreamDecoder(): StreamDecoder {
  const answer = createAnswerDecoder('delta');
  let isOver = false;
  return {
    decode({ event, data }) {
      if (isOver) return [];
      if (data === '[DONE]') {
        isOver = true;
        return [...answer.close(), { type: 'end' }];
      }
      const chunk = parseAnswer(data);
      if (chunk && event !== 'error' && !isError(chunk)) return answer.read(chunk);
      isOver = true;
      if (!chunk) return [...answer.close(), notJson];
      // The chunk of an error may contain usage and the last text. Its finish reason only repeats the error.
      const last = answer.read(chunk).filter(({ type }) => type !== 'finish');
      return [...last, ...answer.close(), { type: 'error', ...readFailure(chunk) }];
    },
    end: answer.close,
  };
}

const notJson: StreamEvent = {
  type: 'error',
  code: 'upstream_error',
  message: 'The provider sent a stream event that is not JSON.',
};
