import type { LlmProvider } from '@sluice/contract';

/** Sorts as the gateway calls them: defaults first, then by position, then by age. */
export function sortByFallbackOrder(providers: readonly LlmProvider[]): LlmProvider[] {
  return providers.toSorted(
    (left, right) =>
      Number(right.is_default) - Number(left.is_default) ||
      placeOf(left) - placeOf(right) ||
      left.created_at.localeCompare(right.created_at) ||
      left.id - right.id,
  );
}

/** Instances without a position come last and compare equal. */
const placeOf = ({ fallback_position }: LlmProvider) => fallback_position ?? Number.MAX_SAFE_INTEGER;

/** Returns the list with one item moved, or `null` if the position is not allowed because defaults come first. */
export function moveTo(order: readonly LlmProvider[], from: number, to: number): LlmProvider[] | null {
  const moved = order[from];
  const replaced = order[to];
  if (!moved || !replaced || from === to || moved.is_default !== replaced.is_default) return null;
  return order.toSpliced(from, 1).toSpliced(to, 0, moved);
}
