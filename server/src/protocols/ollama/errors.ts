import { isObject } from '../json/json-value.ts';
import type { ProviderError } from '../protocol.ts';
import { findCommonCode } from '../translation/error-meanings.ts';
import { findErrorWords } from '../translation/error-words.ts';

/** Returns the error in a provider's error body (`{"error": "text"}`), or `null` if it has no message. */
export function readErrorMessage(body: string): ProviderError | null {
  try {
    return readProviderError(JSON.parse(body));
  } catch {
    return null;
  }
}

/** Returns the error in a parsed error body or stream line, or `null` if it has no message. */
export function readProviderError(value: unknown): ProviderError | null {
  const message = isObject(value) ? findErrorWords(value) : null;
  if (!message) return null;
  return { message, code: findCommonCode([], message), param: null };
}
