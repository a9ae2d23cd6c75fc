import type { Finish, FinishReason } from '../canonical/response.ts';

/** Cohere's finish reasons. Unknown values map to `stop`. */
const reasons: Readonly<Record<string, FinishReason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  ERROR_LIMIT: 'length',
  TOOL_CALL: 'tool-calls',
  ERROR_TOXIC: 'content-filter',
  ERROR: 'error',
  TIMEOUT: 'error',
};

export function readFinish(native: unknown, hasCalls: boolean): Finish {
  const word = typeof native === 'string' ? native : null;
  const reason = (word !== null && Object.hasOwn(reasons, word) && reasons[word]) || 'stop';
  return { reason: reason === 'stop' && hasCalls ? 'tool-calls' : reason, native: word };
}
