import type { Period } from './queries.ts';

/** Change of a figure from the previous period. `days` is the number of days of the previous period. */
export type FigureChange =
  | { kind: 'incomplete'; since: string }
  | { kind: 'none' | 'same' | 'similar'; days: number }
  | { kind: 'more' | 'less'; share: number; days: number };

/** Smaller shares would be shown as 0.0%. */
const shownMin = 0.0005;

/**
 * Compares a figure with the previous period. A period that started before the first day with usage is incomplete:
 * its sum covers fewer days, so a percentage would show the start of use instead of a trend.
 */
export function findChange(
  now: number,
  before: number,
  { days, end, start }: Period,
  usedSince: string | null,
): FigureChange {
  if (usedSince !== null && start < usedSince && usedSince <= end)
    return { kind: 'incomplete', since: usedSince };
  if (before === 0) return { kind: 'none', days };
  if (now === before) return { kind: 'same', days };
  const share = Math.abs(now - before) / before;
  if (share < shownMin) return { kind: 'similar', days };
  return { kind: now > before ? 'more' : 'less', share, days };
}
