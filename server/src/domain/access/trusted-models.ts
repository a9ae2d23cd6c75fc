import { parseBlacklistPattern } from './blacklist-pattern.ts';

/** Whether a model is one of those that a tenant trusts, by its name alone. */
export type IsTrustedModel = (model: string) => boolean;

/** Names, in which `*` stands for any characters; `null` for an empty list, where each model may get each prompt. */
export function readTrustedModels(names: readonly string[]): IsTrustedModel | null {
  if (names.length === 0) return null;
  const patterns = names.map(parseBlacklistPattern).flatMap((parsed) => (parsed.ok ? parsed.pattern : []));
  return (model) => patterns.some((pattern) => pattern.fits(model.toLowerCase()));
}

/** What is wrong with one of the names. */
export function findTrustedModelProblem(names: readonly string[]): string | undefined {
  return names
    .map(parseBlacklistPattern)
    .map((parsed) => (parsed.ok ? undefined : parsed.problem))
    .find((problem) => problem !== undefined);
}
