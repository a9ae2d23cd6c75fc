import type { FieldProblem } from '@sluice/contract';

export interface PlacedProblems {
  /** The first problem of each field, by the field's path. */
  byPath: Record<string, string>;
  /** Problems that belong to no field. */
  unplaced: string[];
}

const partsOfRequest = new Set<string | number>(['body', 'form', 'query', 'params']);

/** Finds the field of each problem: the one named, else the nearest around it, as a list around its entry. */
export function placeProblems(
  problems: readonly FieldProblem[],
  hasField: (path: string) => boolean,
): PlacedProblems {
  const placed: PlacedProblems = { byPath: {}, unplaced: [] };
  for (const { loc, msg } of problems) {
    const path = findField(loc, hasField);
    if (path === undefined) placed.unplaced.push(msg);
    else placed.byPath[path] ??= msg;
  }
  return placed;
}

function findField(loc: FieldProblem['loc'], hasField: (path: string) => boolean): string | undefined {
  const steps = loc[0] !== undefined && partsOfRequest.has(loc[0]) ? loc.slice(1) : loc;
  const paths = steps.map((_, index) => steps.slice(0, steps.length - index).join('.'));
  return paths.find(hasField);
}
