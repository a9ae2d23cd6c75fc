export interface BlockFacts {
  readonly users: number;
  readonly recentBlocks: number;
  readonly administratorIds: readonly number[];
}

const blocksMin = 3;
const shareMax = 0.05;

/**
 * Per hour, at most three users or 5% of all users are blocked, whichever is more, so that a wrong policy does not
 * stop all work. The last administrator is never blocked. `bindPolicy` excludes super administrators.
 */
export function chooseBlocks(userIds: readonly number[], facts: BlockFacts): number[] {
  const administrators = new Set(facts.administratorIds);
  let left = Math.max(blocksMin, Math.floor(facts.users * shareMax)) - facts.recentBlocks;
  return userIds.filter((userId) => {
    const isLast = administrators.size === 1 && administrators.has(userId);
    if (left <= 0 || isLast) return false;
    left--;
    administrators.delete(userId);
    return true;
  });
}
