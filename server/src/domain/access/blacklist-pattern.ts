/** Which model names a blacklist entry fits. */
export interface BlacklistPattern {
  /** The name in lower case, since case does not count and many entries are asked for one name. */
  fits(lowerCaseName: string): boolean;
}

type ParsedPattern =
  | { readonly ok: true; readonly pattern: BlacklistPattern }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads a pattern: a name, in which `*` stands for any characters, or several of them in braces: `{gpt-4o,o1*}`.
 * Matching takes time in proportion to the pattern and the name, whatever the pattern.
 */
export function parseBlacklistPattern(text: string): ParsedPattern {
  const names = listNames(text.trim().toLowerCase());
  if (typeof names === 'string') return { ok: false, problem: names };
  const exact = new Set(names.filter((name) => !name.includes('*')));
  const globs = names.filter((name) => name.includes('*')).map(readGlob);
  const fits = (name: string) => exact.has(name) || globs.some((glob) => fitsGlob(glob, name));
  return { ok: true, pattern: { fits } };
}

/** The names that a pattern lists, or what is wrong with it. */
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

/** A name with stars, as what stands before, between and behind them. */
interface Glob {
  readonly head: string;
  readonly middle: readonly string[];
  readonly tail: string;
}

function readGlob(text: string): Glob {
  const parts = text.split('*');
  return { head: parts[0] ?? '', middle: parts.slice(1, -1).filter(Boolean), tail: parts.at(-1) ?? '' };
}

// The leftmost place of each part leaves most room for those behind it, so no choice is ever taken back.
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
