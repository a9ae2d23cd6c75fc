/** Facts that limit automatic blocks in one tenant. */
export interface BlockFacts {
  /** Active users of the tenant. */
  readonly people: number;
  /** Automatic blocks of the last hour. */
  readonly recentBlocks: number;
  /** Users who can still manage the tenant. */
  readonly administratorIds: readonly number[];
}

const blocksMin = 3;
const shareMax = 0.05;

/**
 * Chooses which of the users above the threshold are blocked. At most three users or 5% of all are blocked per hour,
 * whichever is more, so that a wrong policy does not stop all work, and never the last administrator. Super
 * administrators are never included: their policy does not block (`bindPolicy`).
 */
export function chooseBlocks(userIds: readonly number[], facts: BlockFacts): number[] {
  const administrators = new Set(facts.administratorIds);
  let left = Math.max(blocksMin, Math.floor(facts.people * shareMax)) - facts.recentBlocks;
  return userIds.filter((userId) => {
    const isLast = administrators.size === 1 && administrators.has(userId);
    if (left <= 0 || isLast) return false;
    left--;
    administrators.delete(userId);
    return true;
  });
}
