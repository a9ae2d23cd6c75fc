import type { ProviderError } from '../protocol.ts';
import { findCommonCode } from '../translation/error-meanings.ts';
import { findErrorWords } from '../translation/error-words.ts';
import * as wire from './wire.ts';

/** Returns the error in a provider's error body (`{id?, message, error_type?}`), or `null` if it has no message. */
export function readErrorMessage(body: string): ProviderError | null {
  try {
    return readProviderError(JSON.parse(body));
  } catch {
    return null;
  }
}

/** Returns the error in a parsed error body or stream event, or `null` if it has no message. */
export function readProviderError(value: unknown): ProviderError | null {
  const message = findErrorWords(value);
  if (!message) return null;
  const { error_type: type } = wire.errorFacts.catch({ error_type: null }).parse(value);
  const known = findCommonCode([type], message);
  return { message, code: known ?? type ?? null, param: null };
}
