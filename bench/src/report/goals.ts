import { formatTable } from './table.ts';

/** Figure with a goal. */
export interface Goal {
  readonly name: string;
  readonly wanted: string;
  readonly measured: string;
  readonly isMet: boolean;
}

/** Returns the goal of a figure, or an empty list if the figure is unknown. */
export function atMost(name: string, figure: number | null | undefined, most: number): Goal[] {
  if (figure === null || figure === undefined) return [];
  return [{ name, wanted: `<= ${most}`, measured: figure.toFixed(2), isMet: figure <= most }];
}

/** Formats goals, missed ones first. */
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
