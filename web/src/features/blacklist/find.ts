import type { BlacklistEntry } from '@sluice/contract';
import { findByText } from '../../components/data-table/find-by-text.ts';

/** A complete block covers the whole provider, a partial one some of its models. */
export const isComplete = ({ model_pattern }: Pick<BlacklistEntry, 'model_pattern'>): boolean =>
  !model_pattern;

export const blockerOf = ({ blocked_by_user_name }: BlacklistEntry): string =>
  blocked_by_user_name || 'Unknown';

/** Returns the entries of a provider whose displayed values contain the text, ignoring case. */
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

/** Returns the pattern for the selected models: a single name, or several in braces. */
export const writePattern = (models: readonly string[]): string =>
  models.length === 1 ? (models[0] ?? '') : `{${models.join(',')}}`;
