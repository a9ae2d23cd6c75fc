import { parseExactly } from '#json/exact-json.ts';
import { isObject } from '#json/json-value.ts';
import type { AnswerFailure } from '../canonical/response.ts';
import type { StreamDecoder, StreamEvent } from '../canonical/stream-event.ts';
import { createAnswerDecoder } from './answer-decoder.ts';
import { readFailure } from './errors.ts';
import type { Answer } from './wire.ts';

/**
 * Gemini streams have no end marker. A response is complete when a finish reason was received and the stream has
 * ended.
 */
export function createStreamDecoder(): StreamDecoder {
  const answer = createAnswerDecoder();
  let isOver = false;
  const fail = (failure: AnswerFailure): StreamEvent[] => {
    isOver = true;
    return [...answer.close(), { type: 'error', ...failure }];
  };
  return {
    decode({ event, data }) {
      if (isOver || data === '' || data === '[DONE]') return [];
      const chunk = parseChunk(data);
      if (!chunk) return fail(notJson);
      if (chunk.error || event === 'error') return fail(readFailure(chunk.error));
      try {
        return answer.read(chunk, data);
      } catch {
        // Deeply nested arguments can be parsed but not serialized again.
        return fail(unreadable);
      }
    },
    end() {
      if (isOver) return [];
      try {
        return [...answer.finish(), ...answer.close()];
      } catch {
        return fail(unreadable);
      }
    },
  };
}

const notJson: AnswerFailure = {
  code: 'upstream_error',
  message: 'The provider sent a stream event that is not JSON.',
};

const unreadable: AnswerFailure = {
  code: 'upstream_invalid_response',
  message: 'The provider sent a stream event that cannot be read.',
};

function parseChunk(data: string): Answer | null {
  try {
    const value = parseExactly(data);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
