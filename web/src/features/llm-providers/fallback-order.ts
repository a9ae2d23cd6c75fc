import type { LlmProvider } from '@sluice/contract';

/** As the gate asks them where several serve a model: defaults first, then by place, then by age. */
export function sortByFallbackOrder(providers: readonly LlmProvider[]): LlmProvider[] {
  return providers.toSorted(
    (left, right) =>
      Number(right.is_default) - Number(left.is_default) ||
      placeOf(left) - placeOf(right) ||
      left.created_at.localeCompare(right.created_at) ||
      left.id - right.id,
  );
}

/** High enough to be last, and a number, so that two without a place are alike. */
const placeOf = ({ fallback_position }: LlmProvider) => fallback_position ?? Number.MAX_SAFE_INTEGER;

/** The same list with one at another's place; `null` where it may not stand, since defaults go first. */
export function moveTo(order: readonly LlmProvider[], from: number, to: number): LlmProvider[] | null {
  const moved = order[from];
  const replaced = order[to];
  if (!moved || !replaced || from === to || moved.is_default !== replaced.is_default) return null;
  return order.toSpliced(from, 1).toSpliced(to, 0, moved);
}
