import type { Finish, FinishReason } from '../canonical/response.ts';

/** The words of all who speak this protocol. What nobody has said before counts as `stop`. */
const reasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  length: 'length',
  model_length: 'length',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  content_filter: 'content-filter',
  error: 'error',
  insufficient_system_resource: 'error',
};

/** `hasCalls`: an answer to a forced choice of tool says `stop` though it calls. */
export function readFinish(native: unknown, hasCalls: boolean): Finish {
  const word = typeof native === 'string' ? native : null;
  const reason = (word !== null && Object.hasOwn(reasons, word) && reasons[word]) || 'stop';
  return { reason: reason === 'stop' && hasCalls ? 'tool-calls' : reason, native: word };
}

const words: Record<FinishReason, string> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  error: 'error',
};

export function writeFinishReason({ reason }: Finish): string {
  return words[reason];
}
