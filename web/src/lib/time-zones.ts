const standardZone = 'UTC';

export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The names of all time zones of this browser, and of the one in use even if the browser leaves it out. */
export function listTimeZones(current: string): string[] {
  return [...new Set([standardZone, ...Intl.supportedValuesOf('timeZone'), current])];
}

/** `UTC+05:30`: what a zone's clocks are ahead of UTC at an instant. */
export function describeOffset(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return offset.replace('GMT', 'UTC');
}

/** `Friday, 3:04 PM` by a zone's clocks. */
export function describeClock(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
  }).format(at);
}
