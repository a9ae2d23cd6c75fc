export interface Block {
  readonly id: number;
  /** Lowercase key of the provider. */
  readonly providerKey: string;
  /** `null` blocks the whole provider. */
  readonly pattern: BlacklistPattern | null;
  readonly reason: string;
}

/** An invalid pattern blocks the whole provider, so that access fails closed. */
export function createBlock(entry: {
  id: number;
  providerKey: string;
  modelPattern: string | null;
  reason: string;
}): Block {
  const parsed = entry.modelPattern === null ? null : parseBlacklistPattern(entry.modelPattern);
  return {
    id: entry.id,
    providerKey: entry.providerKey.toLowerCase(),
    pattern: parsed?.ok ? parsed.pattern : null,
    reason: entry.reason,
  };
}

/** Returns the first entry that blocks a provider's model, matching both the requested name and the resolved name. */
export function findBlock(
  blocks: readonly Block[],
  provider: string,
  asked: string,
  model: string,
): Block | undefined {
  if (blocks.length === 0) return undefined;
  const providerKey = provider.toLowerCase();
  const modelName = model.toLowerCase();
  const askedName = asked.toLowerCase();
  return blocks.find(
    (block) =>
      block.providerKey === providerKey &&
      (block.pattern === null ||
        block.pattern.fits(modelName) ||
        (askedName !== modelName && block.pattern.fits(askedName))),
  );
}

interface BlacklistPattern {
  /** The name must be lowercase, because matching ignores case and a name is compared with many entries. */
  fits(lowerCaseName: string): boolean;
}

type ParsedPattern =
  | { readonly ok: true; readonly pattern: BlacklistPattern }
  | { readonly ok: false; readonly problem: string };

/**
 * Parses a blacklist pattern: a name in which `*` matches any characters, or several names in braces, such as
 * `{gpt-4o,o1*}`. Matching takes time proportional to the lengths of the pattern and the name.
 */
export function parseBlacklistPattern(text: string): ParsedPattern {
  const names = listNames(text.trim().toLowerCase());
  if (typeof names === 'string') return { ok: false, problem: names };
  const exact = new Set(names.filter((name) => !name.includes('*')));
  const globs = names.filter((name) => name.includes('*')).map(readGlob);
  const fits = (name: string) => exact.has(name) || globs.some((glob) => fitsGlob(glob, name));
  return { ok: true, pattern: { fits } };
}

function listNames(text: string): string[] | string {
  if (text === '') return 'The pattern is empty';
  const isList = text.startsWith('{') && text.endsWith('}');
  const inner = isList ? text.slice(1, -1) : text;
  if (/[{}]/.test(inner)) {
    return 'Braces must enclose the whole pattern once, as in {gpt-4o,o1*}';
  }
  if (!isList && inner.includes(',')) return 'Write several models in braces, as in {gpt-4o,o1*}';
  const names = inner.split(',').map((name) => name.trim());
  return names.includes('') ? 'A name in the list is empty' : names;
}

interface Glob {
  readonly head: string;
  readonly middle: readonly string[];
  readonly tail: string;
}

function readGlob(text: string): Glob {
  const parts = text.split('*');
  return { head: parts[0] ?? '', middle: parts.slice(1, -1).filter(Boolean), tail: parts.at(-1) ?? '' };
}

// No backtracking is needed: placing each part as far left as possible leaves the most room for the following parts.
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

export type IsTrustedModel = (model: string) => boolean;

/**
 * Parses the names of trusted models, in which `*` matches any characters. Returns `null` for an empty list, which
 * trusts every model.
 */
export function readTrustedModels(names: readonly string[]): IsTrustedModel | null {
  if (names.length === 0) return null;
  const patterns = names.map(parseBlacklistPattern).flatMap((parsed) => (parsed.ok ? parsed.pattern : []));
  return (model) => patterns.some((pattern) => pattern.fits(model.toLowerCase()));
}

export function findTrustedModelProblem(names: readonly string[]): string | undefined {
  return names
    .map(parseBlacklistPattern)
    .map((parsed) => (parsed.ok ? undefined : parsed.problem))
    .find((problem) => problem !== undefined);
}
