import { ownDay } from './format-day.ts';
import { readTimeZone } from './time-zone.ts';

const seconds = { hour: 'numeric', minute: '2-digit', second: '2-digit', hour12: true } as const;
const rowStyle = { month: 'short', day: 'numeric', ...seconds } as const;
const shortStyle = {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
} as const;
const fullStyle = { year: 'numeric', ...rowStyle, timeZoneName: 'short' } as const;
const dayStyle = { year: 'numeric', month: 'short', day: 'numeric' } as const;

/** Formats a time of day: `10:42:18 AM`. */
export const formatClock = formatterOf(seconds);

/** Formats an instant as `Nov 20, 10:42:18 AM`. The default time zone is the user's. */
export const formatRowTime = formatterOf(rowStyle);

/** Formats an instant as `Nov 20, 2026`. */
export const formatDay = formatterOf(dayStyle);

/** Formats an instant as `Nov 20, 10:42 AM`. */
export const formatShortTime = formatterOf(shortStyle);

/** Formats an instant as `Nov 20, 2026, 10:42 AM`. */
export const formatDayTime = formatterOf({ year: 'numeric', ...shortStyle });

/** Formats an instant as `Nov 20, 10:42 AM UTC`. */
export const formatZonedTime = formatterOf({ ...shortStyle, timeZoneName: 'short' });

/** Formats an instant as `Nov 20, 2026, 10:42:18 AM UTC`. */
export const formatFullTime = formatterOf(fullStyle);

const messageInstants = /\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g;

/** Formats the ISO 8601 instants in a server message as `Nov 20, 10:42 AM UTC`. */
export const localizeInstants = (message: string, timeZone?: string): string =>
  message.replace(messageInstants, (instant) =>
    Number.isNaN(Date.parse(instant)) ? instant : formatZonedTime(instant, timeZone),
  );

function formatterOf(style: Intl.DateTimeFormatOptions) {
  const formats = new Map<string | undefined, Intl.DateTimeFormat>();
  return (instant: string | number, timeZone = readTimeZone() ?? undefined): string => {
    const format =
      formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', timeZone ? { ...style, timeZone } : style);
    formats.set(timeZone, format);
    return format.format(new Date(instant));
  };
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Formats a duration: `340 ms`, `1.2 s`, `1 min 2 s`, `3 min`, `1 h 30 min`. */
export function formatDuration(durationMs: number): string {
  if (Math.round(durationMs) < secondMs) return `${Math.round(durationMs)} ms`;
  if (durationMs < minuteMs - secondMs / 20) return `${(durationMs / secondMs).toFixed(1)} s`;
  const seconds = Math.round(durationMs / secondMs);
  if (seconds < 3_600) return inTwoUnits(seconds, 'min', 's');
  return inTwoUnits(Math.round(durationMs / minuteMs), 'h', 'min');
}

/** Formats a number of small units, 60 of which are a large unit. Zero small units are omitted. */
function inTwoUnits(smallUnits: number, large: string, small: string): string {
  const rest = smallUnits % 60;
  return `${Math.trunc(smallUnits / 60)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}

/** Formats a response time in seconds with two decimals, for comparisons: `2.41s`. */
export const formatSeconds = (durationMs: number): string => `${(durationMs / secondMs).toFixed(2)}s`;

const dayMs = 24 * hourMs;

const relativeFormat = new Intl.RelativeTimeFormat('en-US', { numeric: 'always' });

/** Formats an instant relative to now: `5 minutes ago`, `in 3 hours`, `2 days ago`, or `just now` within a minute. */
export function formatRelative(instant: string, nowMs: number): string {
  const exactMs = Date.parse(instant) - nowMs;
  if (Math.abs(exactMs) < minuteMs) return 'just now';
  // An expiry in 90 days is in 90 days during the first minute as well.
  const fromNowMs = exactMs > 0 ? exactMs + minuteMs - 1 : exactMs;
  const distanceMs = Math.abs(fromNowMs);
  if (distanceMs < hourMs) return relativeFormat.format(Math.trunc(fromNowMs / minuteMs), 'minute');
  if (distanceMs < dayMs) return relativeFormat.format(Math.trunc(fromNowMs / hourMs), 'hour');
  return relativeFormat.format(Math.trunc(fromNowMs / dayMs), 'day');
}

/**
 * Formats when a key was last used, by days in the user's time zone: `Today`, `Yesterday`, `12 days ago` below 30
 * days, otherwise the date. `null` is formatted as `Never`.
 */
export function formatLastUsed(instant: string | null | undefined, nowMs: number): string {
  if (instant === null || instant === undefined) return 'Never';
  const days = calendarDaysBetween(Date.parse(instant), nowMs);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < 30 ? `${days} days ago` : formatDay(instant);
}

/** Formats the age of a chat: `just now`, `4m`, `3h` or `12d`. */
export function formatShortAge(instant: string, nowMs: number): string {
  const ageMs = Math.max(0, nowMs - Date.parse(instant));
  if (ageMs < minuteMs) return 'just now';
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)}m`;
  return ageMs < dayMs ? `${Math.floor(ageMs / hourMs)}h` : `${Math.floor(ageMs / dayMs)}d`;
}

/** Formats the age of a comparison: `Just now`, `4 minutes ago`, `6 days ago`, or the date after 7 days. */
export function formatAge(instant: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(instant);
  if (ageMs < minuteMs) return 'Just now';
  return ageMs < 7 * dayMs ? formatRelative(instant, nowMs) : formatDay(instant);
}

function calendarDaysBetween(fromMs: number, toMs: number): number {
  return Math.round((startOfDay(toMs) - startOfDay(fromMs)) / dayMs);
}

const startOfDay = (epochMs: number) => Date.parse(ownDay(epochMs));
