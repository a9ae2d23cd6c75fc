import type { EmbeddingsRequest } from '../canonical/embeddings.ts';
import { UntranslatableError } from './untranslatable.ts';

/** Returns the inputs for a provider that embeds only text, since its tokens differ from the caller's. */
export function demandTexts({ inputs }: EmbeddingsRequest): string[] {
  return inputs.map((input) => {
    if (typeof input === 'string') return input;
    throw new UntranslatableError('The provider of this model embeds text, not tokens.', 'input');
  });
}

export function isVectorList(value: unknown): value is readonly (readonly number[])[] {
  return Array.isArray(value) && value.every(isVector);
}

export function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((entry) => Number.isFinite(entry));
}
