import type { StreamDecoder, StreamEvent } from '../canonical/stream-event.ts';
import { toStreamError } from '../translation/error-meanings.ts';
import { createAnswerDecoder } from './answer-decoder.ts';
import { readProviderError } from './errors.ts';
import { parseAnswer } from './wire.ts';

/** Decodes the chunks of a streamed chat completion. */
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
      if (chunk && !chunk.error && event !== 'error') return answer.read(chunk);
      isOver = true;
      return [...answer.close(), chunk ? toStreamError(readProviderError(chunk)) : notJson];
    },
    end: answer.close,
  };
}

const notJson: StreamEvent = {
  type: 'error',
  code: 'upstream_error',
  message: 'The provider sent a stream event that is not JSON.',
};
