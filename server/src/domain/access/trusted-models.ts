import { parseBlacklistPattern } from './blacklist-pattern.ts';

/** Whether a tenant trusts a model, by its name alone. */
export type IsTrustedModel = (model: string) => boolean;

/**
 * Parses names in which `*` matches any characters; returns `null` for an empty list, which allows every model for
 * every prompt.
 */
export function readTrustedModels(names: readonly string[]): IsTrustedModel | null {
  if (names.length === 0) return null;
  const patterns = names.map(parseBlacklistPattern).flatMap((parsed) => (parsed.ok ? parsed.pattern : []));
  return (model) => patterns.some((pattern) => pattern.fits(model.toLowerCase()));
}

/** Returns the problem with the first invalid name. */
export function findTrustedModelProblem(names: readonly string[]): string | undefined {
  return names
    .map(parseBlacklistPattern)
    .map((parsed) => (parsed.ok ? undefined : parsed.problem))
    .find((problem) => problem !== undefined);
}
