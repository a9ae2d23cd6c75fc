const seconds = { hour: 'numeric', minute: '2-digit', second: '2-digit', hour12: true } as const;
const clockFormat = new Intl.DateTimeFormat('en-US', seconds);
const rowFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', ...seconds });
const shortFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  hour12: true,
});
const fullFormat = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  ...seconds,
  timeZoneName: 'short',
});
const dayFormat = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric' });

/** `10:42:18 AM` */
export const formatClock = (epochMs: number) => clockFormat.format(epochMs);

/** `Nov 20, 10:42:18 AM` */
export const formatRowTime = (instant: string) => rowFormat.format(new Date(instant));

/** `Nov 20, 10:42 AM` */
export const formatShortTime = (instant: string) => shortFormat.format(new Date(instant));

/** `Nov 20, 2026, 10:42:18 AM UTC` */
export const formatFullTime = (instant: string) => fullFormat.format(new Date(instant));

/** `Nov 20, 2026` */
export const formatDay = (instant: string) => dayFormat.format(new Date(instant));

/** `310 ms` below a second, `2.41 s` from there. */
export function formatDuration(durationMs: number): string {
  return Math.round(durationMs) < 1000
    ? `${Math.round(durationMs)} ms`
    : `${(durationMs / 1000).toFixed(2)} s`;
}
