import { or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { containsPattern } from '#domain/like-pattern.ts';

/**
 * Builds a condition that matches rows if one of the columns contains the text, ignoring case, accents and invisible
 * characters. Do not use it for request log texts, which have a separate index.
 */
export function containsText(text: string, ...columns: readonly SQLWrapper[]): SQL | undefined {
  // Normalize before escaping wildcards, because compatibility characters may be normalized to wildcards.
  const pattern = containsPattern(text.normalize('NFKC'));
  return or(...columns.map((column) => sql`search_key(${column}) LIKE search_key(${pattern})`));
}
