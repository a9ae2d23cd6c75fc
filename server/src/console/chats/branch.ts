/** As much of a message as says where it stands. */
interface Placed {
  readonly id: string;
  readonly parentId: string | null;
}

/** The messages from the first of a chat to `leafId`, in order; to the newest where no leaf is named. */
export function findBranch<Row extends Placed>(rows: readonly Row[], leafId: string | null): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const branch: Row[] = [];
  let next = leafId === null ? rows.at(-1) : byId.get(leafId);
  while (next) {
    branch.push(next);
    // A message that has been met is gone from the map, so that no circle is walked twice.
    byId.delete(next.id);
    next = next.parentId === null ? undefined : byId.get(next.parentId);
  }
  return branch.reverse();
}

/** The newest end of the branches through a message; `rows` are in the order of their making. */
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

/** By its parent, the messages that stand in each other's place, the oldest first. */
export function groupSiblings(rows: readonly Placed[]): ReadonlyMap<string | null, string[]> {
  const siblings = new Map<string | null, string[]>();
  for (const { id, parentId } of rows) siblings.getOrInsertComputed(parentId, () => []).push(id);
  return siblings;
}
