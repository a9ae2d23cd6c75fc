import { isObject } from '#json/json-value.ts';
import type { AnswerFailure } from '../canonical/response.ts';
import type { ProviderError } from '../protocol.ts';
import { describeFailure } from '../translation/classify-failure.ts';
import { findCommonCode } from '../translation/error-meanings.ts';
import { findErrorWords } from '../translation/untranslatable.ts';
import * as wire from './wire.ts';

/** Returns the error in a provider's error body (`{"error": "text"}`), or `null` if it has no message. */
export function readErrorMessage(body: string): ProviderError | null {
  try {
    return readProviderError(JSON.parse(body));
  } catch {
    return null;
  }
}

/** Returns `null` if there is no message. */
export function readProviderError(value: unknown): ProviderError | null {
  const message = isObject(value) ? findErrorWords(value) : null;
  if (!message) return null;
  return { message, code: findCommonCode([], message), param: null };
}

export function readFailure(value: unknown): AnswerFailure {
  const told = readProviderError(value);
  if (!told) return describeFailure(null);
  const { status, status_code } = wire.errorFacts.catch({}).parse(value);
  return describeFailure(told, [status_code, status]);
}
