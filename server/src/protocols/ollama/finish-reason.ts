import type { Finish, FinishReason } from '../canonical/response.ts';

/** Ollama's words; the last two answer nothing. What nobody has said before counts as `stop`. */
const reasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  load: 'error',
  unload: 'error',
};

/** `hasCalls`: Ollama says `stop` also when it calls. */
export function readFinish(native: unknown, hasCalls: boolean): Finish {
  const word = typeof native === 'string' ? native : null;
  const reason = (word !== null && Object.hasOwn(reasons, word) && reasons[word]) || 'stop';
  return { reason: reason === 'stop' && hasCalls ? 'tool-calls' : reason, native: word };
}
