import type { ErrorCode } from '@sluice/contract';
import type { StreamDecoder, StreamEvent } from '../canonical/stream-event.ts';
import { parseExactly } from '../json/exact-json.ts';
import { isObject } from '../json/json-value.ts';
import { toStreamError } from '../translation/error-meanings.ts';
import { createAnswerDecoder } from './answer-decoder.ts';
import { readStreamError } from './errors.ts';
import type { Answer } from './wire.ts';

/**
 * Creates a decoder for Gemini streams. They have no end marker: a response is complete when a finish reason was
 * received and the stream has ended.
 */
export function createStreamDecoder(): StreamDecoder {
  const answer = createAnswerDecoder();
  let isOver = false;
  const fail = (code: ErrorCode, message: string): StreamEvent[] => {
    isOver = true;
    return [...answer.close(), { type: 'error', code, message }];
  };
  return {
    decode({ event, data }) {
      if (isOver || data === '' || data === '[DONE]') return [];
      const chunk = parseChunk(data);
      if (!chunk) return fail('upstream_error', 'The provider sent a stream event that is not JSON.');
      if (chunk.error || event === 'error') {
        isOver = true;
        return [...answer.close(), toStreamError(readStreamError(chunk.error))];
      }
      try {
        return answer.read(chunk, data);
      } catch {
        // Deeply nested arguments can be parsed but not serialized again.
        return fail('upstream_invalid_response', 'The provider sent a stream event that cannot be read.');
      }
    },
    end: () => (isOver ? [] : [...answer.finish(), ...answer.close()]),
  };
}

function parseChunk(data: string): Answer | null {
  try {
    const value = parseExactly(data);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
