import type { SignalValues } from './signals.ts';

/**
 * How a request asks: with its own text; with the text of a previous request whose tools it responds to; or without
 * text. `hash` identifies the text.
 */
export type Asked =
  | { readonly kind: 'ask' | 'follow-up'; readonly hash: string }
  | { readonly kind: 'silent' };

/** The recent asks of a user, and the signals of the last one. */
export interface RecentAsks {
  /** Latest last; accepted requests only. */
  readonly hashes: readonly string[];
  readonly values: SignalValues;
}

/** Tool loops rarely span more than this many other asks of the same user. */
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

/** Whether a request only continues one that was judged before, so that it changes nothing. */
export function isKnownFollowUp(recent: RecentAsks | null | undefined, asked: Asked | undefined): boolean {
  return asked?.kind === 'follow-up' && (recent?.hashes.includes(asked.hash) ?? false);
}
