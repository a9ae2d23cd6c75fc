import type { BudgetPeriod } from '@sluice/contract';
import { findPeriodWindow } from '#domain/allowance/period.ts';

export interface MappedDuration {
  readonly window: BudgetPeriod;
  /** The limit is divided by this number. */
  readonly parts: number;
}

const words: Readonly<Record<string, string>> = { hourly: '1h', daily: '1d', weekly: '7d', monthly: '30d' };
const minutes = { s: 1 / 60, m: 1, h: 60, d: 1_440, w: 10_080, mo: 43_200 } as const;

/** Lengths are minutes. A month is 30 days. */
const windows = [
  ['month', 43_200],
  ['week', 10_080],
  ['day', 1_440],
  ['hour', 60],
  ['minute', 1],
] as const;

/**
 * Maps a duration such as `30d`, `1mo` or `24h` to a budget window. Other durations are split into the longest
 * windows that fit a whole number of times, so that the total limit per duration does not increase. Returns `null`
 * for an unknown notation.
 */
export function mapDuration(duration: string | null | undefined): MappedDuration | null {
  if (duration == null || duration === '') return { window: 'total', parts: 1 };
  const text = duration.trim().toLowerCase();
  const [, count = '', unit = ''] = /^(\d+)(mo|[smhdw])$/.exec(words[text] ?? text) ?? [];
  const lengthMinutes = Number(count) * (minutes[unit as keyof typeof minutes] ?? 0);
  if (!(lengthMinutes > 0)) return null;
  for (const [window, windowMinutes] of windows) {
    const parts = lengthMinutes / windowMinutes;
    if (parts >= 1 && Number.isInteger(parts)) return { window, parts };
  }
  return { window: 'minute', parts: Math.max(1, Math.ceil(lengthMinutes)) };
}

export interface RunningWindow {
  /** Start of the first window; `null` for calendar windows. */
  readonly startsAt: Date | null;
  /** Start of the current window; `null` for a budget that never resets. */
  readonly windowStart: Date | null;
  /** Whether the window of the reported spend is still current. */
  readonly isRunning: boolean;
}

/**
 * Returns windows that end at `resetsAt`: calendar windows if possible or if `resetsAt` has passed, otherwise windows
 * with their own start.
 */
export function findRunningWindow(
  window: BudgetPeriod,
  resetsAt: Date | null,
  { nowMs, timeZone }: { readonly nowMs: number; readonly timeZone: string },
): RunningWindow {
  const startOf = (startMs: number) => (Number.isFinite(startMs) ? new Date(startMs) : null);
  const calendar = findPeriodWindow({ unit: window, startsAtMs: null }, nowMs, timeZone);
  const isRunning = resetsAt === null || resetsAt.getTime() > nowMs;
  const hasWindows = window !== 'total' && window !== 'at_once';
  if (resetsAt === null || !hasWindows || !isRunning || calendar.endMs === resetsAt.getTime())
    return { startsAt: null, windowStart: startOf(calendar.startMs), isRunning };
  const startsAt = previous(window, resetsAt, timeZone);
  // A start in the future also determines earlier windows.
  const { startMs } = findPeriodWindow({ unit: window, startsAtMs: startsAt.getTime() }, nowMs, timeZone);
  return { startsAt: new Date(startMs), windowStart: new Date(startMs), isRunning };
}

function previous(window: Exclude<BudgetPeriod, 'total' | 'at_once'>, end: Date, timeZone: string): Date {
  const at = Temporal.Instant.fromEpochMilliseconds(end.getTime()).toZonedDateTimeISO(timeZone);
  return new Date(at.subtract({ [`${window}s`]: 1 }).epochMilliseconds);
}
