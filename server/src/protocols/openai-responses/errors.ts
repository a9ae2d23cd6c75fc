import { type ErrorCode, errorCodes } from '@sluice/contract';
import { parseObject } from '#json/json-value.ts';
import { encodeError, readErrorMessage } from '../openai-chat/errors.ts';
import type { AnswerContext, ErrorFacts, PassedFrames } from '../protocol.ts';
import { wordOverflow } from '../translation/context-overflow.ts';
import { findMeaning } from '../translation/error-meanings.ts';
import { encodeHead, encodeResponseObject } from './response-object.ts';
import type { WireStreamEvent } from './wire.ts';

// OpenAI and compatible vendors use the same error format in all of OpenAI's protocols.
export { encodeError, readErrorMessage };

/**
 * Returns an error and a failed response as the next events of a stream, like OpenAI: its SDK fails only at the
 * error, other clients only at the response. Before the first event, the response is created from the request.
 */
export function encodeStreamError(error: ErrorFacts, context: AnswerContext, passed?: PassedFrames): string {
  const head = encodeHead(passed?.start ?? { id: null, createdAtSeconds: null, model: null }, context);
  const status = { status: 'failed', incomplete_details: null, error: encodeFailure(error) } as const;
  const number = findNextNumber(passed);
  const response = encodeResponseObject(head, status, [], null);
  return (
    writeFrame('error', { sequence_number: number, ...encodeErrorFields(error) }) +
    writeFrame('response.failed', { sequence_number: number + 1, response })
  );
}

function findNextNumber(passed: PassedFrames | undefined): number {
  const last: WireStreamEvent | null = passed?.last ? parseObject(passed.last.data) : null;
  const number = last?.sequence_number;
  return typeof number === 'number' ? number + 1 : (passed?.count ?? 0);
}

/**
 * Returns both the flat format that OpenAI documents and the nested format that OpenAI sends, since clients read
 * either.
 */
export function encodeErrorFields(
  error: Pick<ErrorFacts, 'code' | 'message' | 'overflow' | 'param' | 'providerCode'>,
): object {
  const { code, providerCode, param } = error;
  const message = wordOverflow(error, 'openai');
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

type Failure = Pick<ErrorFacts, 'code' | 'message' | 'overflow' | 'providerCode' | 'retryAfterMs'>;

/** Returns an error as contained in a failed response, with a code that clients can handle. */
export function encodeFailure(error: Failure): { readonly code: string; readonly message: string } {
  const { code, providerCode } = error;
  const isTold = code === 'provider_rejected' || findMeaning(providerCode)?.caller;
  const told = isTold ? providerCode : null;
  return { code: told ?? failureCodes[code] ?? 'server_error', message: nameDelay(error) };
}

/** Adds the retry delay in the wording that OpenAI's clients parse, because a stream has no header for the delay. */
function nameDelay({ retryAfterMs, ...error }: Failure): string {
  const message = wordOverflow(error, 'openai');
  if (retryAfterMs === undefined || /try again in \d/i.test(message)) return message;
  return `${message} Please try again in ${retryAfterMs / 1000}s.`;
}

export function writeFrame(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
