import { type AnswerFailure, describeFailure } from '../canonical/response.ts';
import { isObject } from '../json/json-value.ts';
import type { ProviderError } from '../protocol.ts';
import { classifyFailure } from '../translation/classify-failure.ts';
import { findErrorWords } from '../translation/error-words.ts';
import * as wire from './wire.ts';

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
  const code = knownWords.find(([words]) => words.test(message))?.[1] ?? null;
  return { message, code, param: null };
}

/** Reads the error in a response with status 200. */
export function readFailure(value: unknown): AnswerFailure {
  const told = readProviderError(value);
  if (!told) return { code: 'upstream_error', message: 'The provider reported an error inside its answer.' };
  const { status, status_code } = wire.errorFacts.catch({}).parse(value);
  return describeFailure(classifyFailure([told.code, status_code, status]), told);
}

/** Patterns that map to the error codes shared by all protocols. Ollama has no codes of its own. */
const knownWords: readonly (readonly [words: RegExp, code: string])[] = [
  [/context (length|size|window)|prompt too long/i, 'context_length_exceeded'],
  [/^(unauthorized|invalid api key)/i, 'invalid_api_key'],
];
