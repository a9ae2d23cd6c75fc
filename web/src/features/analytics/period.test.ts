import { describe, expect, it } from 'vitest';
import { dayIn } from '#lib/format-day.ts';
import { findPeriod, findPeriodBefore, findPeriodProblem } from './queries.ts';

const today = '2026-03-09';

describe('findPeriod', () => {
  it('findPeriod returns the last 30 days if the URL contains no period', () => {
    expect(findPeriod({}, today)).toEqual({ start: '2026-02-08', end: today, days: 30 });
    expect(findPeriod({ days: 7 }, today)).toEqual({ start: '2026-03-03', end: today, days: 7 });
    const dated = { start: '2026-01-01', end: '2026-01-01' };
    expect(findPeriod({ days: 7, ...dated }, today)).toEqual({ ...dated, days: 1 });
  });

  it('findPeriodBefore returns the preceding period of the same length', () => {
    const period = findPeriod({ days: 7 }, today);
    expect(findPeriodBefore(period)).toEqual({ start: '2026-02-24', end: '2026-03-02', days: 7 });
  });

  it('dayIn returns the calendar day of an instant in the time zone', () => {
    const at = Date.parse('2026-03-08T18:20:00Z');
    expect(dayIn('Asia/Kathmandu', at)).toBe('2026-03-09');
    expect(dayIn('America/New_York', at)).toBe('2026-03-08');
  });

  it('findPeriodProblem rejects reversed and too long periods', () => {
    const problemOf = (start: string, end: string) => findPeriodProblem(findPeriod({ start, end }, today));
    expect(problemOf('2026-03-02', '2026-03-01')).toBe('The end date must not be before the start date');
    expect(problemOf('2024-03-02', '2026-03-01')).toBe('The date range may cover at most 366 days');
    expect(problemOf('2026-03-01', '2026-03-01')).toBeNull();
  });
});
