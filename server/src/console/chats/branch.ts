interface Placed {
  readonly id: string;
  readonly parentId: string | null;
}

/**
 * Returns the messages from the start of a chat to `leafId`, in order. A `leafId` of `null` means the newest message.
 */
export function findBranch<Row extends Placed>(rows: readonly Row[], leafId: string | null): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const branch: Row[] = [];
  let next = leafId === null ? rows.at(-1) : byId.get(leafId);
  while (next) {
    branch.push(next);
    // Remove visited messages, so that a cycle cannot cause an endless loop.
    byId.delete(next.id);
    next = next.parentId === null ? undefined : byId.get(next.parentId);
  }
  return branch.reverse();
}

/** Follows the newest child of each message. `rows` must be in order of creation. */
export function findLatestLeaf(rows: readonly Placed[], messageId: string): string {
  const newestChild = new Map(rows.map(({ id, parentId }) => [parentId, id]));
  let leaf = messageId;
  for (let steps = 0; steps < rows.length; steps += 1) {
    const next = newestChild.get(leaf);
    if (next === undefined) break;
    leaf = next;
  }
  return leaf;
}

/** Groups messages by parent. Messages with the same parent are alternatives, oldest first. */
export function groupSiblings(rows: readonly Placed[]): ReadonlyMap<string | null, string[]> {
  const siblings = new Map<string | null, string[]>();
  for (const { id, parentId } of rows) siblings.getOrInsertComputed(parentId, () => []).push(id);
  return siblings;
}
