import type { BudgetPeriod } from '@sluice/contract';
import { findCalendarWindow, type Window } from './window.ts';

/** Unit and start of a budget's consecutive windows. */
export interface Period {
  readonly unit: BudgetPeriod;
  /** Start of the first window in wall-clock milliseconds; `null` means calendar windows in the tenant's time zone. */
  readonly startsAtMs: number | null;
}

const fixedMs = { minute: 60_000, hour: 3_600_000 } as const;

/**
 * Returns the window that contains an instant. Minutes and hours have a fixed length. Days, weeks and months follow
 * the time zone, so a day has 23 to 25 hours when clocks change. Calendar weeks start on Monday.
 */
export function findPeriodWindow({ unit, startsAtMs }: Period, atMs: number, timeZone: string): Window {
  if (unit === 'total' || unit === 'at_once')
    return { startMs: startsAtMs ?? Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };
  if (unit === 'minute' || unit === 'hour') {
    const lengthMs = fixedMs[unit];
    const anchorMs = startsAtMs ?? 0;
    const startMs = anchorMs + Math.floor((atMs - anchorMs) / lengthMs) * lengthMs;
    return { startMs, endMs: startMs + lengthMs };
  }
  if (startsAtMs !== null) return findRollingWindow(unit, startsAtMs, atMs, timeZone);
  if (unit === 'week') return findWeek(atMs, timeZone);
  return findCalendarWindow(atMs, timeZone, unit === 'day' ? { days: 1 } : { months: 1 });
}

function findWeek(atMs: number, timeZone: string): Window {
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone).toPlainDate();
  const monday = today.subtract({ days: today.dayOfWeek - 1 });
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone).epochMilliseconds;
  return { startMs: startOf(monday), endMs: startOf(monday.add({ weeks: 1 })) };
}

const dayMs = 86_400_000;
/** Lower bounds of the window lengths, so that the number of windows is never underestimated. */
const leastMs = { day: dayMs - 3_600_000, week: 7 * dayMs - 3_600_000, month: 28 * dayMs - 3_600_000 };

/**
 * Finds a window counted from the first start. Counting from the previous window would move a month that starts on
 * the 31st to the 28th.
 */
function findRollingWindow(
  unit: 'day' | 'week' | 'month',
  startsAtMs: number,
  atMs: number,
  timeZone: string,
): Window {
  const first = Temporal.Instant.fromEpochMilliseconds(startsAtMs).toZonedDateTimeISO(timeZone);
  const startOf = (count: number) => first.add({ [`${unit}s`]: count }).epochMilliseconds;
  let least = Math.min(0, Math.floor((atMs - startsAtMs) / leastMs[unit]));
  let beyond = Math.max(1, Math.ceil((atMs - startsAtMs) / leastMs[unit]) + 1);
  while (beyond - least > 1) {
    const middle = Math.floor((least + beyond) / 2);
    if (startOf(middle) <= atMs) least = middle;
    else beyond = middle;
  }
  return { startMs: startOf(least), endMs: startOf(least + 1) };
}

/** Caches the last window per period object. */
export function createPeriodFinder(): typeof findPeriodWindow {
  const latest = new WeakMap<Period, { readonly window: Window; readonly timeZone: string }>();
  return (period, atMs, timeZone) => {
    const known = latest.get(period);
    if (known && known.timeZone === timeZone && atMs >= known.window.startMs && atMs < known.window.endMs)
      return known.window;
    const window = findPeriodWindow(period, atMs, timeZone);
    latest.set(period, { window, timeZone });
    return window;
  };
}
