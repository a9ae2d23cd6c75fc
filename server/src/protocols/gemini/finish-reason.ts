import type { Finish, FinishReason } from '../canonical/response.ts';

/** What nobody has said before counts as `stop`. */
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

/** Clients of Google's own transport may ask for enumerations by number. */
const byNumber = [
  ...['FINISH_REASON_UNSPECIFIED', 'STOP', 'MAX_TOKENS', 'SAFETY', 'RECITATION', 'OTHER', 'LANGUAGE'],
  ...['BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'MALFORMED_FUNCTION_CALL', 'IMAGE_SAFETY'],
  'UNEXPECTED_TOOL_CALL',
];

/** The word for an end, `null` while there is none. */
export function readNativeReason(value: unknown): string | null {
  const word = typeof value === 'number' ? byNumber[value] : value;
  return typeof word === 'string' && word !== '' && word !== 'FINISH_REASON_UNSPECIFIED' ? word : null;
}

/** `hasCalls`: an answer that calls says `STOP` like any other. */
export function readFinish(native: string, hasCalls: boolean): Finish {
  const reason = reasonOf(native) ?? 'stop';
  return { reason: reason === 'stop' && hasCalls ? 'tool-calls' : reason, native };
}

const words: Record<FinishReason, string> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
  error: 'OTHER',
};

/** Google's word for a finish: the very one that was said, where it was Google that said it. */
export function writeFinishReason({ reason, native }: Finish): string {
  return native !== null && reasonOf(native) === reason ? native : words[reason];
}

function reasonOf(native: string): FinishReason | undefined {
  return Object.hasOwn(reasons, native) ? reasons[native] : undefined;
}
