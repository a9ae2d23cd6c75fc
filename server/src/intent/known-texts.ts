import { hash } from 'node:crypto';
import type { IntentModel } from './model.ts';

/** Returns the SHA-256 of a text in base64url. */
export function digestText(text: string): string {
  return hash('sha256', text, 'base64url');
}

const knownMax = 2_000;

/**
 * Cached results of a model for recent texts, by digest, so that no text is stored. System prompts repeat with each
 * request, and each step of a tool loop repeats its initial prompt.
 */
export class KnownTexts<Result extends NonNullable<unknown> | null> {
  readonly #byModel = new WeakMap<IntentModel, Map<string, Result>>();

  /** Returns `undefined` if there is no result for the text. */
  get(digest: string, model: IntentModel): Result | undefined {
    return this.#byModel.get(model)?.get(digest);
  }

  /** Discards all other results when there are too many. */
  keep(digest: string, model: IntentModel, result: Result): Result {
    const known = this.#byModel.getOrInsertComputed(model, () => new Map());
    if (known.size >= knownMax) known.clear();
    known.set(digest, result);
    return result;
  }
}
