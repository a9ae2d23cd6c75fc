import type { Finish, FinishReason } from '../canonical/response.ts';

const reasons: Readonly<Record<string, FinishReason>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content-filter',
};

/**
 * Anthropic's stop reason in the words that all share. Whether calls were made is what the answer holds, not what the
 * reason says: a call of a server's tool is none, and neither is an answer that came as a call.
 */
export function readFinish(
  native: string | null | undefined,
  stopSequence: string | null | undefined,
  hasCalls: boolean,
): Finish {
  const reason = reasons[native ?? ''] ?? (hasCalls ? 'tool-calls' : 'stop');
  return {
    reason,
    native: native ?? null,
    ...(native === 'stop_sequence' && typeof stopSequence === 'string' && { stopSequence }),
  };
}

/** The stop reason for a finish; `error` has none of its own and reads as an ordinary end. */
export function writeStopReason({ reason, stopSequence }: Finish): string {
  switch (reason) {
    case 'length':
      return 'max_tokens';
    case 'tool-calls':
      return 'tool_use';
    case 'content-filter':
      return 'refusal';
    case 'stop':
    case 'error':
      return stopSequence === undefined ? 'end_turn' : 'stop_sequence';
  }
}
