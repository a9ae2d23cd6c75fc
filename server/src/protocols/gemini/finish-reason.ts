import type { Finish, FinishReason } from '../canonical/response.ts';

/** Google's finish reasons. Unknown values map to `stop`. */
const reasons: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'content-filter',
  RECITATION: 'content-filter',
  LANGUAGE: 'content-filter',
  BLOCKLIST: 'content-filter',
  PROHIBITED_CONTENT: 'content-filter',
  SPII: 'content-filter',
  IMAGE_SAFETY: 'content-filter',
  IMAGE_PROHIBITED_CONTENT: 'content-filter',
  IMAGE_RECITATION: 'content-filter',
  MODEL_ARMOR: 'content-filter',
  OTHER: 'error',
  MALFORMED_FUNCTION_CALL: 'error',
  UNEXPECTED_TOOL_CALL: 'error',
  TOO_MANY_TOOL_CALLS: 'error',
  MISSING_THOUGHT_SIGNATURE: 'error',
  MALFORMED_RESPONSE: 'error',
  IMAGE_OTHER: 'error',
  NO_IMAGE: 'error',
};

/** Enum values by number, as some Google clients request them. */
const byNumber = [
  ...['FINISH_REASON_UNSPECIFIED', 'STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'OTHER', 'LANGUAGE'],
  ...['BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'MALFORMED_FUNCTION_CALL', 'IMAGE_SAFETY'],
  'UNEXPECTED_TOOL_CALL',
];

/** Returns the native finish reason, or `null` if there is no reason yet. */
export function readNativeReason(value: unknown): string | null {
  const word = typeof value === 'number' ? byNumber[value] : value;
  return typeof word === 'string' && word !== '' && word !== 'FINISH_REASON_UNSPECIFIED' ? word : null;
}

/** Maps Google's finish reason. It is `STOP` even for a response with tool calls, hence `hasCalls`. */
export function readFinish(native: string, hasCalls: boolean, message = ''): Finish {
  const reason = reasonOf(native) ?? 'stop';
  if (reason === 'error' && message !== '') return { reason, native, message };
  return { reason: reason === 'stop' && hasCalls ? 'tool-calls' : reason, native };
}

const words: Record<FinishReason, string> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
  error: 'OTHER',
};

/** Returns Google's finish reason: the native one if it comes from Google, otherwise one that matches the reason. */
export function writeFinishReason({ reason, native }: Finish): string {
  return native !== null && reasonOf(native) === reason ? native : words[reason];
}

function reasonOf(native: string): FinishReason | undefined {
  return Object.hasOwn(reasons, native) ? reasons[native] : undefined;
}
