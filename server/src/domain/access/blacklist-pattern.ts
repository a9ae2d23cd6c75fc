/** Matches model names against a blacklist entry. */
export interface BlacklistPattern {
  /** Requires a lower-case name, since matching ignores case and many entries are tested with the same name. */
  fits(lowerCaseName: string): boolean;
}

type ParsedPattern =
  | { readonly ok: true; readonly pattern: BlacklistPattern }
  | { readonly ok: false; readonly problem: string };

/**
 * Parses a pattern: a name in which `*` matches any characters, or several names in braces: `{gpt-4o,o1*}`. Matching
 * takes time proportional to the lengths of pattern and name, for any pattern.
 */
export function parseBlacklistPattern(text: string): ParsedPattern {
  const names = listNames(text.trim().toLowerCase());
  if (typeof names === 'string') return { ok: false, problem: names };
  const exact = new Set(names.filter((name) => !name.includes('*')));
  const globs = names.filter((name) => name.includes('*')).map(readGlob);
  const fits = (name: string) => exact.has(name) || globs.some((glob) => fitsGlob(glob, name));
  return { ok: true, pattern: { fits } };
}

/** Returns the names that a pattern lists, or an error message. */
function listNames(text: string): string[] | string {
  if (text === '') return 'The pattern is empty';
  const isList = text.startsWith('{') && text.endsWith('}');
  const inner = isList ? text.slice(1, -1) : text;
  if (/[{}]/.test(inner)) {
    return 'Braces enclose the whole pattern, once, as in {gpt-4o,o1*}';
  }
  if (!isList && inner.includes(',')) return 'Several models stand in braces, as in {gpt-4o,o1*}';
  const names = inner.split(',').map((name) => name.trim());
  return names.includes('') ? 'A name in the list is empty' : names;
}

/** A name with stars, split into the texts before, between and after them. */
interface Glob {
  readonly head: string;
  readonly middle: readonly string[];
  readonly tail: string;
}

function readGlob(text: string): Glob {
  const parts = text.split('*');
  return { head: parts[0] ?? '', middle: parts.slice(1, -1).filter(Boolean), tail: parts.at(-1) ?? '' };
}

// The leftmost match of each part leaves the most room for the following ones, so backtracking is not necessary.
function fitsGlob({ head, middle, tail }: Glob, name: string): boolean {
  const end = name.length - tail.length;
  if (head.length > end || !name.startsWith(head) || !name.endsWith(tail)) return false;
  let from = head.length;
  for (const part of middle) {
    const at = name.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
    if (from > end) return false;
  }
  return true;
}
