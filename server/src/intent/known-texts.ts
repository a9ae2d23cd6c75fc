import { hash } from 'node:crypto';
import type { IntentModel } from './model.ts';

export function digestText(text: string): string {
  return hash('sha256', text, 'base64url');
}

const knownMax = 2_000;

/**
 * Cache keyed by digest, so that no text is stored. Every request repeats its system prompt, and every step of a tool
 * loop repeats the initial prompt.
 */
export class KnownTexts<Result extends NonNullable<unknown> | null> {
  readonly #byModel = new WeakMap<IntentModel, Map<string, Result>>();

  /** Returns `undefined` if the text has no cached result. */
  get(digest: string, model: IntentModel): Result | undefined {
    return this.#byModel.get(model)?.get(digest);
  }

  /** Clears the cache of the model first if it is full. */
  keep(digest: string, model: IntentModel, result: Result): Result {
    const known = this.#byModel.getOrInsertComputed(model, () => new Map());
    if (known.size >= knownMax) known.clear();
    known.set(digest, result);
    return result;
  }
}
