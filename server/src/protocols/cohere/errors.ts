import { type AnswerFailure, describeFailure } from '../canonical/response.ts';
import type { ProviderError } from '../protocol.ts';
import { classifyFailure } from '../translation/classify-failure.ts';
import { findErrorField, findErrorWords } from '../translation/error-words.ts';
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
  const { error_type: type } = wire.errorFacts.catch({}).parse(value);
  const known = knownWords.find(([words]) => words.test(`${type ?? ''} ${message}`))?.[1];
  return { message, code: known ?? type ?? null, param: findErrorField(value) };
}

/** Reads the error in a response with status 200; `null` if it has no message. */
export function readFailure(value: unknown): AnswerFailure | null {
  const told = readProviderError(value);
  if (!told) return null;
  const { status_code, status, code } = wire.errorFacts.catch({}).parse(value);
  return describeFailure(classifyFailure([told.code, code, status_code, status]), told);
}

/** Patterns in Cohere's messages that map to the error codes shared by all protocols. */
const knownWords: readonly (readonly [words: RegExp, code: string])[] = [
  [/TOO_MANY_TOKENS|too many tokens/i, 'context_length_exceeded'],
  [/(invalid|no) api (key|token)/i, 'invalid_api_key'],
  // Unlike a per-minute limit, the monthly limit of a trial key does not reset within a retry.
  [/calls \/ month|payment method/i, 'insufficient_quota'],
];
