import { type ErrorCode, errorCodes } from '@sluice/contract';
import { encodeError, readErrorMessage } from '../openai-chat/errors.ts';
import type { ErrorFacts } from '../protocol.ts';

// OpenAI words its errors alike in all its protocols, and those who imitate it do so too.
export { encodeError, readErrorMessage };

/** Above all numbers that a stream may have reached whose events passed through uncounted. */
const lastSequenceNumber = 2 ** 31 - 1;

export function encodeStreamError(error: ErrorFacts): string {
  return writeFrame('error', { sequence_number: lastSequenceNumber, ...encodeErrorFields(error) });
}

/** In the flat form that OpenAI documents and in the nested one that it sends: clients know one or the other. */
export function encodeErrorFields(
  error: Pick<ErrorFacts, 'code' | 'message' | 'param' | 'providerCode'>,
): object {
  const { code, providerCode, message, param } = error;
  const word = providerCode ?? code;
  return {
    code: word,
    message,
    param,
    error: { type: errorCodes[code].type, code: word, message, param },
  };
}

const failureCodes: Partial<Record<ErrorCode, string>> = {
  rate_limited: 'rate_limit_exceeded',
  upstream_overloaded: 'server_is_overloaded',
};

/** An error as a failed response tells it: by a code that clients know how to act on. */
export function encodeFailure({ code, message }: Pick<ErrorFacts, 'code' | 'message'>): {
  readonly code: string;
  readonly message: string;
} {
  return { code: failureCodes[code] ?? 'server_error', message };
}

export function writeFrame(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
