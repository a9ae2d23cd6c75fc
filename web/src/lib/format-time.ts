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
