const axisFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const titleFormat = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** A bucket's day, `2026-11-20`, on an axis: `Nov 20`. It is a calendar day, which no time zone moves. */
export const formatAxisDay = (day: string): string => axisFormat.format(new Date(day.slice(0, 10)));

/** The same as a title: `Friday, Nov 20, 2026`. */
export const formatTitleDay = (day: string): string => titleFormat.format(new Date(day.slice(0, 10)));
