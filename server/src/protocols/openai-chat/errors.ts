import { errorCodes } from '@sluice/contract';
import { type AnswerFailure, describeFailure } from '../canonical/response.ts';
import type { ErrorFacts, ProviderError } from '../protocol.ts';
import { classifyFailure } from '../translation/classify-failure.ts';
import { findErrorField, findErrorWords } from '../translation/error-words.ts';
import * as wire from './wire.ts';

/** Encodes `{"error": {message, type, param, code}}`, which OpenAI's clients turn into exceptions. */
export function encodeError({ code, providerCode, message, param, tasks }: ErrorFacts): object {
  const { type } = errorCodes[code];
  return { error: { message, type, param, code: providerCode ?? code, ...(tasks && { tasks }) } };
}

export function encodeStreamError(error: ErrorFacts): string {
  return `data: ${JSON.stringify(encodeError(error))}\n\n`;
}

/**
 * Reads a provider's error body; `null` if it has no message. Not all vendors of this protocol use OpenAI's format: the
 * error may be a plain string, a detail, or one message per field.
 */
export function readErrorMessage(body: string): ProviderError | null {
  try {
    return readProviderError(JSON.parse(body));
  } catch {
    return null;
  }
}

/** Reads a parsed error body. */
function readProviderError(value: unknown): ProviderError | null {
  const message = findErrorWords(value);
  if (!message) return null;
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const { error } = wire.errorBody.parse(first);
  const { code, type, param } = error ?? wire.errorFacts.catch({}).parse(first);
  const known = findKnownCode(message, [code, type]);
  return {
    message,
    code: known ?? (code == null ? null : String(code)),
    param: param ?? findErrorField(value),
  };
}

/** Reads an error inside a response with status 200, in any of the forms that `readErrorMessage` reads. */
export function readFailure(value: unknown): AnswerFailure {
  const told = readProviderError(value);
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const { error } = wire.errorBody.parse(first);
  const { code, type, status, status_code } = error ?? wire.errorFacts.catch({}).parse(first);
  const failed = classifyFailure([told?.code, code, type, status_code, status]);
  return told
    ? describeFailure(failed, told)
    : { code: failed, message: 'The provider reported an error inside its answer.' };
}

const knownWords: readonly (readonly [words: RegExp, code: string])[] = [
  [
    /maximum context length|max context length|prompt (is )?too long|context window/i,
    'context_length_exceeded',
  ],
  [/^(incorrect|invalid) api key/i, 'invalid_api_key'],
];
const knownCodes: ReadonlySet<unknown> = new Set([
  'context_length_exceeded',
  'invalid_api_key',
  'insufficient_quota',
]);

function findKnownCode(message: string, told: readonly unknown[]): string | null {
  const code = told.find((word) => knownCodes.has(word));
  return code === undefined ? (knownWords.find(([words]) => words.test(message))?.[1] ?? null) : String(code);
}
