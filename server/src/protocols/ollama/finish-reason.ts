import type { Finish, FinishReason } from '../canonical/response.ts';

/** Ollama's finish reasons; `load` and `unload` come without a response. Unknown values map to `stop`. */
const reasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  load: 'error',
  unload: 'error',
};

/** Maps Ollama's finish reason. It is `stop` even for a response with tool calls, hence `hasCalls`. */
export function readFinish(native: unknown, hasCalls: boolean): Finish {
  const word = typeof native === 'string' ? native : null;
  const reason = (word !== null && Object.hasOwn(reasons, word) && reasons[word]) || 'stop';
  return { reason: reason === 'stop' && hasCalls ? 'tool-calls' : reason, native: word };
}
