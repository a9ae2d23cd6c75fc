import { errorCodes } from '@sluice/contract';
import type { ErrorFacts } from '../protocol.ts';
import * as wire from './wire.ts';

/** `{"error": {message, type, param, code}}`, the shape that OpenAI's clients turn into exceptions. */
export function encodeError({ code, providerCode, message, param }: ErrorFacts): object {
  return { error: { message, type: errorCodes[code].type, param, code: providerCode ?? code } };
}

export function encodeStreamError(error: ErrorFacts): string {
  return `data: ${JSON.stringify(encodeError(error))}\n\n`;
}

/**
 * The message, code and param of a provider's error body, `null` when it says nothing. Those who speak OpenAI's protocol
 * do not all write its errors: the words may be the error itself, a detail, or one for each field (protocol note E1).
 */
export function readErrorMessage(
  body: string,
): { message: string; code: string | null; param: string | null } | null {
  try {
    const value: unknown = JSON.parse(body);
    const message = findWords(value);
    if (!message) return null;
    const { code, param } = wire.providerError.parse(value);
    return { message, code: code == null ? null : String(code), param: param ?? null };
  } catch {
    return null;
  }
}

function findWords(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.flatMap((entry) => findWords(entry) ?? []).join('; ') || null;
  if (typeof value !== 'object' || value === null) return null;
  for (const name of ['error', 'message', 'detail', 'msg'] as const) {
    const words = name in value ? findWords(Reflect.get(value, name)) : null;
    if (words) return words;
  }
  return null;
}
