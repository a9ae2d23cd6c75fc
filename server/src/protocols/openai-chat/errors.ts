import { errorCodes } from '@sluice/contract';
import type { AnswerFailure } from '../canonical/response.ts';
import type { ErrorFacts, ProviderError } from '../protocol.ts';
import { describeFailure } from '../translation/classify-failure.ts';
import { wordOverflow } from '../translation/context-overflow.ts';
import { findCommonCode } from '../translation/error-meanings.ts';
import { findErrorField, findErrorWords } from '../translation/untranslatable.ts';
import * as wire from './wire.ts';

/** Encodes `{"error": {message, type, param, code}}`, which OpenAI's clients turn into exceptions. */
export function encodeError({ code, providerCode, param, tasks, ...words }: ErrorFacts): object {
  const { type } = errorCodes[code];
  const message = wordOverflow(words, 'openai');
  return { error: { message, type, param, code: providerCode ?? code, ...(tasks && { tasks }) } };
}

export function encodeStreamError(error: ErrorFacts): string {
  return `data: ${JSON.stringify(encodeError(error))}\n\n`;
}

/**
 * Reads a provider's error body; returns `null` if there is no message. Not all vendors of this protocol use OpenAI's
 * format: the error may be a plain string, a detail, or one message per field.
 */
export function readErrorMessage(body: string): ProviderError | null {
  try {
    return readProviderError(JSON.parse(body));
  } catch {
    return null;
  }
}

function readProviderError(value: unknown): ProviderError | null {
  const message = findErrorWords(value);
  if (!message) return null;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const { error } = wire.errorBody.parse(first);
  const { code, type, param } = error ?? wire.errorFacts.catch({}).parse(first);
  const known = findCommonCode([code, type], message);
  return {
    message,
    code: known ?? (code == null ? null : String(code)),
    param: param ?? findErrorField(value),
  };
}

/** Reads an error inside a response with status 200, in any of the forms that `readErrorMessage` supports. */
export function readFailure(value: unknown): AnswerFailure {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const { error } = wire.errorBody.parse(first);
  const { code, type, status, status_code } = error ?? wire.errorFacts.catch({}).parse(first);
  return describeFailure(readProviderError(value), [code, type, status_code, status]);
}
