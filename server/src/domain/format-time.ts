/**
 * Formats an instant for emails and banners, whose readers' time zones are unknown: `December 5, 2026 at 2:02 PM UTC`.
 * The console formats times in the browser.
 */
export function formatUtcTime(instant: Date): string {
  const text = instant.toLocaleString('en-US', {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  });
  // The narrow no-break space before AM and PM is displayed as a box in some mail clients.
  return text.replaceAll('\u202f', ' ');
}

/** Formats a duration rounded up, for example `40 seconds`, `12 minutes` or `3 hours`. */
export function formatWait(seconds: number): string {
  const [count, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 7_200
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3_600), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
