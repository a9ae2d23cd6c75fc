import { type ErrorCode, errorCodes } from '@sluice/contract';
import { encodeError, readErrorMessage } from '../openai-chat/errors.ts';
import type { ErrorFacts } from '../protocol.ts';

// OpenAI and compatible vendors use the same error format in all of OpenAI's protocols.
export { encodeError, readErrorMessage };

/** Higher than any number in a stream whose events passed through uncounted. */
const lastSequenceNumber = 2 ** 31 - 1;

export function encodeStreamError(error: ErrorFacts): string {
  return writeFrame('error', { sequence_number: lastSequenceNumber, ...encodeErrorFields(error) });
}

/** Returns both the flat format that OpenAI documents and the nested one that it sends, since clients read either. */
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

/** Returns an error as in a failed response, with a code that clients can handle. */
export function encodeFailure({ code, message }: Pick<ErrorFacts, 'code' | 'message'>): {
  readonly code: string;
  readonly message: string;
} {
  return { code: failureCodes[code] ?? 'server_error', message };
}

export function writeFrame(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
