import type { BlacklistEntry } from '@sluice/contract';
import { findByText } from '../../components/data-table/find-by-text.ts';

/** A complete block bars the whole provider, a partial one some of its models. */
export const isComplete = ({ model_pattern }: Pick<BlacklistEntry, 'model_pattern'>): boolean =>
  !model_pattern;

export const blockerOf = ({ blocked_by_user_name }: BlacklistEntry): string =>
  blocked_by_user_name || 'Unknown';

/** The entries of a provider that hold the text in what can be read of them, whatever its case. */
export function findEntries(
  entries: readonly BlacklistEntry[],
  { text, provider }: { text: string; provider: string | undefined },
): readonly BlacklistEntry[] {
  const listed = entries.filter(({ provider_key }) => provider === undefined || provider_key === provider);
  return findByText(listed, text, (entry) => [
    entry.provider_key,
    entry.model_pattern,
    entry.reason,
    entry.description,
    blockerOf(entry),
  ]);
}

/** What the server is told of chosen models: the name of one, several in braces. */
export const writePattern = (models: readonly string[]): string =>
  models.length === 1 ? (models[0] ?? '') : `{${models.join(',')}}`;
