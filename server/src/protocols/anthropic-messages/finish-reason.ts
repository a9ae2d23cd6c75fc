import type { Finish, FinishReason } from '../canonical/response.ts';

const reasons: Readonly<Record<string, FinishReason>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content-filter',
};

/**
 * Maps Anthropic's stop reason. `hasCalls` decides about tool calls instead of the reason, because calls of server
 * tools and the structured answer tool also end with `tool_use`.
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

/** Returns the stop reason for a finish. `error` maps to `end_turn` because Anthropic has no reason for it. */
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
