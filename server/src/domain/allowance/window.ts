import type { AllowanceKind } from './kind.ts';

/** For how long an allowance counts, in wall-clock milliseconds: from `startMs` to before `endMs`. */
export interface Window {
  readonly startMs: number;
  readonly endMs: number;
}

const hourMs = 3_600_000;
const forever: Window = { startMs: Number.NEGATIVE_INFINITY, endMs: Number.POSITIVE_INFINITY };

/**
 * The window of an instant: a clock hour of UTC, or a day or month of the tenant's time zone, which is as long as the
 * zone makes it (23 to 25 hours where clocks change). What has no window counts for ever.
 */
export function findWindow(kind: AllowanceKind, atMs: number, timeZone: string): Window {
  switch (kind) {
    case 'requests_per_hour': {
      const startMs = Math.floor(atMs / hourMs) * hourMs;
      return { startMs, endMs: startMs + hourMs };
    }
    case 'tokens_per_day':
      return findCalendarWindow(atMs, timeZone, { days: 1 });
    case 'tokens_per_month':
      return findCalendarWindow(atMs, timeZone, { months: 1 });
    default:
      return forever;
  }
}

// The end is the start of the next day or month, and not one duration later: a day may begin at 1 o'clock.
function findCalendarWindow(
  atMs: number,
  timeZone: string,
  length: { days: number } | { months: number },
): Window {
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone).toPlainDate();
  const first = 'months' in length ? today.with({ day: 1 }) : today;
  const startOf = (date: Temporal.PlainDate) => date.toZonedDateTime(timeZone).epochMilliseconds;
  return { startMs: startOf(first), endMs: startOf(first.add(length)) };
}

/** Finds windows as `findWindow` does, and keeps the last one of each zone, for calendars are slow. */
export function createWindowFinder(): typeof findWindow {
  const latest = new Map<string, Window>();
  return (kind, atMs, timeZone) => {
    const key = `${kind} ${timeZone}`;
    const known = latest.get(key);
    if (known && atMs >= known.startMs && atMs < known.endMs) return known;
    const window = findWindow(kind, atMs, timeZone);
    latest.set(key, window);
    return window;
  };
}
