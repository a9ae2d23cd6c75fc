import { type BlacklistPattern, parseBlacklistPattern } from './blacklist-pattern.ts';

/** A parsed blacklist entry. */
export interface Block {
  readonly id: number;
  /** In lower case. */
  readonly providerKey: string;
  /** `null` blocks the whole provider. */
  readonly pattern: BlacklistPattern | null;
  readonly reason: string;
}

/** An invalid pattern blocks the whole provider: access fails closed. */
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

/** Returns the first entry that blocks a provider's model, by the requested name or the name it resolves to. */
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
