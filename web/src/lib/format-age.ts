import { formatDay } from './format-time.ts';

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

/** The age of a chat: `4m`, `3h` or `12d`. */
export function formatShortAge(instant: string, nowMs: number): string {
  const ageMs = Math.max(0, nowMs - Date.parse(instant));
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
