import type { StreamDecoder } from '../canonical/stream-event.ts';
import { parseExactly } from '../exact-json.ts';
import { isObject } from '../json-value.ts';
import { createAnswerDecoder } from './answer-decoder.ts';
import { readStreamError } from './errors.ts';
import type { Answer } from './wire.ts';

/**
 * Follows a stream of answers' pieces. It has no marker of its end: an answer is whole when its last piece has said why
 * it ended and the stream has ended too.
 */
export function createStreamDecoder(): StreamDecoder {
  const answer = createAnswerDecoder();
  let isOver = false;
  return {
    decode({ event, data }) {
      if (isOver || data === '' || data === '[DONE]') return [];
      const chunk = parseChunk(data);
      if (chunk && !chunk.error && event !== 'error') return answer.read(chunk, data);
      isOver = true;
      const error = chunk ? readStreamError(chunk.error) : notJson;
      return [...answer.close(), { type: 'error', ...error }];
    },
    end: () => (isOver ? [] : [...answer.finish(), ...answer.close()]),
  };
}

const notJson = {
  code: 'upstream_error',
  message: 'The provider sent a stream event that is not JSON.',
} as const;

function parseChunk(data: string): Answer | null {
  try {
    const value = parseExactly(data);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
