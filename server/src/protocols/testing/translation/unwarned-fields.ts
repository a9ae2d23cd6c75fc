import type { CallerId } from '../full-requests.ts';

/** A field that has no effect at a provider of another protocol, and no warning. */
export interface UnwarnedField {
  readonly callers: readonly CallerId[];
  readonly fields: readonly string[];
  readonly reason: string;
}

/** Fields that are dropped by intention, listed in docs/TRANSLATION.md. */
export const unwarnedFields: readonly UnwarnedField[] = [];
