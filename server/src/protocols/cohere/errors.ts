import type { AnswerFailure } from '../canonical/response.ts';
import type { ProviderError } from '../protocol.ts';
import { describeFailure } from '../translation/classify-failure.ts';
import { findCommonCode } from '../translation/error-meanings.ts';
import { findErrorField, findErrorWords } from '../translation/untranslatable.ts';
import * as wire from './wire.ts';

/** Returns the error in a provider's error body (`{id?, message, error_type?}`), or `null` if it has no message. */
export function readErrorMessage(body: string): ProviderError | null {
  try {
    return readProviderError(JSON.parse(body));
  } catch {
    return null;
  }
}

/** Returns `null` if there is no message. */
export function readProviderError(value: unknown): ProviderError | null {
  const message = findErrorWords(value);
  if (!message) return null;
  const { error_type: type } = wire.errorFacts.catch({}).parse(value);
  const known = findCommonCode([type], message);
  return { message, code: known ?? type ?? null, param: findErrorField(value) };
}

/** Returns `null` if there is no message. */
export function readFailure(value: unknown): AnswerFailure | null {
  const told = readProviderError(value);
  if (!told) return null;
  const { status_code, status, code } = wire.errorFacts.catch({}).parse(value);
  return describeFailure(told, [code, status_code, status]);
}
