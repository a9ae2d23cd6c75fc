import type { Finish, FinishReason } from '../canonical/response.ts';

/** Finish reasons of all vendors of this protocol. Unknown reasons map to `stop`. */
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

/** `hasCalls` decides about calls: with a forced tool choice the reason is `stop`, and some vendors name calls without making any. */
export function readFinish(native: unknown, hasCalls: boolean): Finish {
  const word = typeof native === 'string' ? native : null;
  const told = (word !== null && Object.hasOwn(reasons, word) && reasons[word]) || 'stop';
  const isWhole = told === 'stop' || told === 'tool-calls';
  return { reason: isWhole ? (hasCalls ? 'tool-calls' : 'stop') : told, native: word };
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
