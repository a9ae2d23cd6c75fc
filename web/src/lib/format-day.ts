import { browserTimeZone, readTimeZone } from './time-zone.ts';

const axisFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const titleFormat = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Formats the day `2026-11-20` as `Nov 20`, for chart axes. Does not depend on the time zone. */
export const formatAxisDay = (day: string): string => axisFormat.format(new Date(day.slice(0, 10)));

/** Formats the day `2026-11-20` as `Friday, Nov 20, 2026`. */
export const formatTitleDay = (day: string): string => titleFormat.format(new Date(day.slice(0, 10)));

const monthFormat = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Formats the month `2026-11` as `November 2026`. */
export const formatMonth = (month: string): string => monthFormat.format(new Date(`${month}-01`));

const weekdayFormat = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' });
const dayMs = 24 * 3_600_000;
const daysInWeek = 7;

/**
 * Formats a day relative to today: `today`, `tomorrow`, `on Thursday` within a week, otherwise `on Thursday, Nov 26`.
 */
export function nameDay(day: string, today: string): string {
  const daysAhead = Math.round((Date.parse(day) - Date.parse(today)) / dayMs);
  if (daysAhead === 0) return 'today';
  if (daysAhead === 1) return 'tomorrow';
  const name = `on ${weekdayFormat.format(new Date(day))}`;
  return daysAhead > 0 && daysAhead < daysInWeek ? name : `${name}, ${formatAxisDay(day)}`;
}

/** Returns the calendar day of an instant in a time zone, in the form `2026-11-20`. */
export const dayIn = (timeZone: string, atMs: number): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(atMs);

/** Returns the calendar day of an instant in the user's time zone, in the form `2026-11-20`. */
export const ownDay = (atMs: number): string => dayIn(readTimeZone() ?? browserTimeZone(), atMs);

/** Range of days, including the first and the last day. */
export interface DayRange {
  start: string;
  end: string;
}

export function findMonths(today: string): Record<'today' | 'thisMonth' | 'lastMonth', DayRange> {
  const [year = 0, month = 0] = today.split('-').map(Number);
  const toDay = (epochMs: number) => new Date(epochMs).toISOString().slice(0, 10);
  return {
    today: { start: today, end: today },
    thisMonth: { start: `${today.slice(0, 8)}01`, end: today },
    lastMonth: { start: toDay(Date.UTC(year, month - 2, 1)), end: toDay(Date.UTC(year, month - 1, 0)) },
  };
}
