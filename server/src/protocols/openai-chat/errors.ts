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

/** The message, code and param of a provider's error body, `null` when it has none of OpenAI's shape. */
export function readErrorMessage(
  body: string,
): { message: string; code: string | null; param: string | null } | null {
  try {
    const { error } = wire.providerError.parse(JSON.parse(body));
    return {
      message: error.message,
      code: error.code == null ? null : String(error.code),
      param: error.param ?? null,
    };
  } catch {
    return null;
  }
}
