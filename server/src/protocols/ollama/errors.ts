import { isObject } from '../json/json-value.ts';
import type { ProviderError } from '../protocol.ts';
import { findErrorWords } from '../translation/error-words.ts';

/** What a provider's error body says: `{"error": "text"}`, `null` when it says nothing. */
export function readErrorMessage(body: string): ProviderError | null {
  try {
    return readProviderError(JSON.parse(body));
  } catch {
    return null;
  }
}

/** The same for an error that stands in a stream. */
export function readProviderError(value: unknown): ProviderError | null {
  const message = isObject(value) ? findErrorWords(value) : null;
  if (!message) return null;
  const code = knownWords.find(([words]) => words.test(message))?.[1] ?? null;
  return { message, code, param: null };
}

/** What all protocols call the same; Ollama itself has no codes. */
const knownWords: readonly (readonly [words: RegExp, code: string])[] = [
  [/context (length|size|window)|prompt too long/i, 'context_length_exceeded'],
  [/^(unauthorized|invalid api key)/i, 'invalid_api_key'],
];
