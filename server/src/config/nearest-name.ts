const prefix = 'SLUICE_';
const maxDistance = 3;

/** Returns the name that `mistyped` probably means; `null` if none is close. */
export function findNearestName(mistyped: string, names: string[]): string | null {
  const ranked = names
    .map((name) => ({ name, distance: countEdits(withoutPrefix(mistyped), withoutPrefix(name)) }))
    .sort((left, right) => left.distance - right.distance);
  const [nearest] = ranked;
  return nearest && nearest.distance <= maxDistance ? nearest.name : null;
}

// SLUICE_PORT means PORT: the prefix is as easily added as forgotten.
function withoutPrefix(name: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** Returns the Levenshtein distance, computed one table row at a time. */
function countEdits(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...right].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      const removed = (previous[column + 1] ?? 0) + 1;
      const added = (current[column] ?? 0) + 1;
      current.push(Math.min(replaced, removed, added));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
