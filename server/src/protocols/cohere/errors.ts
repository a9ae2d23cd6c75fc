import type { ProviderError } from '../protocol.ts';
import { findErrorWords } from '../translation/error-words.ts';
import * as wire from './wire.ts';

/** What a provider's error body says: `{id?, message, error_type?}`, `null` when it says nothing. */
export function readErrorMessage(body: string): ProviderError | null {
  try {
    return readProviderError(JSON.parse(body));
  } catch {
    return null;
  }
}

/** The same for an error that stands in a stream. */
export function readProviderError(value: unknown): ProviderError | null {
  const message = findErrorWords(value);
  if (!message) return null;
  const { error_type: type } = wire.errorFacts.catch({ error_type: null }).parse(value);
  const known = knownWords.find(([words]) => words.test(`${type ?? ''} ${message}`))?.[1];
  return { message, code: known ?? type ?? null, param: null };
}

/** What all protocols call the same, by Cohere's words for it. */
const knownWords: readonly (readonly [words: RegExp, code: string])[] = [
  [/TOO_MANY_TOKENS|too many tokens/i, 'context_length_exceeded'],
  [/(invalid|no) api (key|token)/i, 'invalid_api_key'],
  // A trial key's month does not end within a retry.
  [/calls \/ month|payment method/i, 'insufficient_quota'],
];
