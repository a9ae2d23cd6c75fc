import { formatTable } from './table.ts';

/** A figure that has a goal. */
export interface Goal {
  readonly name: string;
  readonly wanted: string;
  readonly measured: string;
  readonly isMet: boolean;
}

/** The goal of a figure; none where the figure could not be had. */
export function atMost(name: string, figure: number | null | undefined, most: number): Goal[] {
  if (figure === null || figure === undefined) return [];
  return [{ name, wanted: `<= ${most}`, measured: figure.toFixed(2), isMet: figure <= most }];
}

/** What misses its goal stands first. */
export function goalsTable(goals: readonly Goal[]): string {
  const ordered = goals.toSorted((one, other) => Number(one.isMet) - Number(other.isMet));
  const rows = ordered.map(({ name, wanted, measured, isMet }) => [
    name,
    measured,
    wanted,
    isMet ? 'met' : 'MISSED',
  ]);
  return formatTable([['goal', 'measured', 'wanted', ''], ...rows]);
}
