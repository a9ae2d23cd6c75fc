/** What holds an automatic policy back in one tenant. */
export interface BlockFacts {
  /** Active people of the tenant. */
  readonly people: number;
  /** Automatic blocks of the last hour. */
  readonly recentBlocks: number;
  /** Who can still run the tenant. */
  readonly administratorIds: readonly number[];
}

const blocksMin = 3;
const shareMax = 0.05;

/**
 * Whom of those that have crossed the threshold the policy blocks: no more than three people or a twentieth of them an
 * hour, so that a policy gone wrong stops no one's work, and never the last who could lift the blocks. Super
 * administrators never come here: their policy does not block (`bindPolicy`).
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
