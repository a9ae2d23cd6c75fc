import type { EmbeddingsRequest } from '../canonical/embeddings.ts';
import { UntranslatableError } from './untranslatable.ts';

/**
 * Returns the inputs as texts.
 * @throws UntranslatableError for token ids, since these differ between providers
 */
export function demandTexts({ inputs }: EmbeddingsRequest): string[] {
  return inputs.map((input) => {
    if (typeof input === 'string') return input;
    throw new UntranslatableError(
      'The provider of this model accepts only text for embeddings, not tokens.',
      'input',
    );
  });
}

export function listLost(
  { endUser, purpose, truncation, extensions = [] }: EmbeddingsRequest,
  supported: readonly ('user' | 'input_type' | 'truncate')[],
): string[] {
  const isUsed = {
    user: endUser !== undefined,
    input_type: purpose !== undefined,
    truncate: truncation !== undefined && truncation !== 'none',
  };
  const names = ['user', 'input_type', 'truncate'] as const;
  return [...names.filter((name) => isUsed[name] && !supported.includes(name)), ...extensions];
}

export function isVectorList(value: unknown): value is readonly (readonly number[])[] {
  return Array.isArray(value) && value.every(isVector);
}

export function isVector(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((entry) => Number.isFinite(entry));
}
