import { or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { containsPattern } from '#domain/like-pattern.ts';

/**
 * Builds the condition that one of the columns contains a text, ignoring case, accents and invisible characters. Not
 * for texts of the request log, which have a separate index.
 */
export function containsText(text: string, ...columns: readonly SQLWrapper[]): SQL | undefined {
  // Compatibility characters may become wildcards, so they are normalized before wildcards are escaped.
  const pattern = containsPattern(text.normalize('NFKC'));
  return or(...columns.map((column) => sql`search_key(${column}) LIKE search_key(${pattern})`));
}
