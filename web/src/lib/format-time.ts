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

/** `10:42:18 AM` */
export const formatClock = formatterOf(seconds);

/** `Nov 20, 10:42:18 AM`, in the person's own time zone unless another is named, as by all of these. */
export const formatRowTime = formatterOf(rowStyle);

/** `Nov 20, 2026` */
export const formatDay = formatterOf(dayStyle);

/** `Nov 20, 10:42 AM` */
export const formatShortTime = formatterOf(shortStyle);

/** `Nov 20, 2026, 10:42 AM` */
export const formatDayTime = formatterOf({ year: 'numeric', ...shortStyle });

/** `Nov 20, 10:42 AM UTC` */
export const formatZonedTime = formatterOf({ ...shortStyle, timeZoneName: 'short' });

/** `Nov 20, 2026, 10:42:18 AM UTC` */
export const formatFullTime = formatterOf(fullStyle);

function formatterOf(style: Intl.DateTimeFormatOptions) {
  const formats = new Map<string | undefined, Intl.DateTimeFormat>();
  return (instant: string | number, timeZone = readTimeZone() ?? undefined): string => {
    const format =
      formats.get(timeZone) ?? new Intl.DateTimeFormat('en-US', timeZone ? { ...style, timeZone } : style);
    formats.set(timeZone, format);
    return format.format(new Date(instant));
  };
}

/** `310 ms` below a second, `2.41 s` from there. */
export function formatDuration(durationMs: number): string {
  return Math.round(durationMs) < 1000
    ? `${Math.round(durationMs)} ms`
    : `${(durationMs / 1000).toFixed(2)} s`;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const relativeFormat = new Intl.RelativeTimeFormat('en-US', { numeric: 'always' });

/** `5 minutes ago`, `in 3 hours`, `2 days ago`; `just now` within a minute. */
export function formatRelative(instant: string, nowMs: number): string {
  const fromNowMs = Date.parse(instant) - nowMs;
  const distanceMs = Math.abs(fromNowMs);
  if (distanceMs < minuteMs) return 'just now';
  if (distanceMs < hourMs) return relativeFormat.format(Math.trunc(fromNowMs / minuteMs), 'minute');
  if (distanceMs < dayMs) return relativeFormat.format(Math.trunc(fromNowMs / hourMs), 'hour');
  return relativeFormat.format(Math.trunc(fromNowMs / dayMs), 'day');
}

/** When a key was last used: `Today`, `Yesterday`, `12 days ago` below 30 days, else the date; `Never`. */
export function formatLastUsed(instant: string | null | undefined, nowMs: number): string {
  if (instant === null || instant === undefined) return 'Never';
  const days = calendarDaysBetween(Date.parse(instant), nowMs);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return days < 30 ? `${days} days ago` : formatDay(instant);
}

/** The age of a chat: `just now`, `4m`, `3h` or `12d`. */
export function formatShortAge(instant: string, nowMs: number): string {
  const ageMs = Math.max(0, nowMs - Date.parse(instant));
  if (ageMs < minuteMs) return 'just now';
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)}m`;
  return ageMs < dayMs ? `${Math.floor(ageMs / hourMs)}h` : `${Math.floor(ageMs / dayMs)}d`;
}

/** The age of a comparison: `Just now`, `4m ago`, `3h ago`, `6d ago`, after 7 days the date. */
export function formatAge(instant: string, nowMs: number): string {
  const ageMs = nowMs - Date.parse(instant);
  if (ageMs < minuteMs) return 'Just now';
  return ageMs < 7 * dayMs ? `${formatShortAge(instant, nowMs)} ago` : formatDay(instant);
}

function calendarDaysBetween(fromMs: number, toMs: number): number {
  return Math.round((startOfDay(toMs) - startOfDay(fromMs)) / dayMs);
}

const startOfDay = (epochMs: number) => new Date(epochMs).setHours(0, 0, 0, 0);
