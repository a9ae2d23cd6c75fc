/** What holds an automatic policy back in one tenant. */
export interface BlockFacts {
  /** Active people of the tenant. */
  readonly people: number;
  /** Automatic blocks of the last hour. */
  readonly recentBlocks: number;
  /** Who can still run the tenant, and the platform. */
  readonly administratorIds: readonly number[];
  readonly superAdministratorIds: readonly number[];
}

const blocksMin = 3;
const shareMax = 0.05;

/**
 * Whom of those that have crossed the threshold the policy blocks: no more than three people or a twentieth of them an
 * hour, so that a policy gone wrong stops no one's work, and never the last who could lift the blocks.
 */
export function chooseBlocks(userIds: readonly number[], facts: BlockFacts): number[] {
  const administrators = new Set(facts.administratorIds);
  const superAdministrators = new Set(facts.superAdministratorIds);
  const isLast = (group: ReadonlySet<number>, userId: number) => group.size === 1 && group.has(userId);
  let left = Math.max(blocksMin, Math.floor(facts.people * shareMax)) - facts.recentBlocks;
  return userIds.filter((userId) => {
    if (left <= 0 || isLast(administrators, userId) || isLast(superAdministrators, userId)) return false;
    left--;
    administrators.delete(userId);
    superAdministrators.delete(userId);
    return true;
  });
}
