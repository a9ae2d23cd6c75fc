import type { SignalValues } from './signals.ts';

/**
 * How a request asks: by words of its own; by the words of a request before it, whose tools it answers; or without a
 * word. `hash` stands for the words.
 */
export type Asked =
  | { readonly kind: 'ask' | 'follow-up'; readonly hash: string }
  | { readonly kind: 'silent' };

/** What somebody has asked of late, and what the last of it said. */
export interface RecentAsks {
  /** The last is the latest; only what was let through. */
  readonly hashes: readonly string[];
  readonly values: SignalValues;
}

/** A loop of tools seldom outlives this many other asks of its person. */
const hashesMax = 16;

export function addAsk(
  recent: RecentAsks | null | undefined,
  asked: Asked | undefined,
  { values, isRefused }: { readonly values: SignalValues; readonly isRefused: boolean },
): RecentAsks | null {
  if (!asked || asked.kind === 'silent') return recent ?? null;
  const others = (recent?.hashes ?? []).filter((hash) => hash !== asked.hash);
  return { hashes: isRefused ? others : [...others, asked.hash].slice(-hashesMax), values };
}

/** Whether a request only goes on with what was judged before, so that it moves nothing. */
export function isKnownFollowUp(recent: RecentAsks | null | undefined, asked: Asked | undefined): boolean {
  return asked?.kind === 'follow-up' && (recent?.hashes.includes(asked.hash) ?? false);
}
