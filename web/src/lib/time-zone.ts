import { isTimeZone } from '@sluice/contract';
import { useSyncExternalStore } from 'react';

const key = 'sluice-time-zone';
const listeners = new Set<() => void>();
let chosen = toKnown(typeof window === 'undefined' ? null : localStorage.getItem(key));

/** Time zone of the signed-in user; `null` means the browser's. */
export const readTimeZone = (): string | null => chosen;

export const useTimeZone = (): string | null => useSyncExternalStore(subscribe, readTimeZone);

/** Also stored in this browser, so that times are correct before the first response. */
export function setTimeZone(wanted: string | null): void {
  const timeZone = toKnown(wanted);
  if (timeZone === chosen) return;
  chosen = timeZone;
  if (timeZone === null) localStorage.removeItem(key);
  else localStorage.setItem(key, timeZone);
  for (const listener of listeners) listener();
}

/** The server may know time zones that this browser does not. */
function toKnown(timeZone: string | null): string | null {
  return timeZone !== null && isTimeZone(timeZone) ? timeZone : null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const standardZone = 'UTC';

export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Names of all time zones of this browser, including the current one even if the browser does not list it. */
export function listTimeZones(current: string): string[] {
  return [...new Set([standardZone, ...Intl.supportedValuesOf('timeZone'), current])];
}

/** Offset of a time zone from UTC at an instant, such as `UTC+05:30`. */
export function describeOffset(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return offset.replace('GMT', 'UTC');
}

/** Current time in a time zone, such as `Friday, 3:04 PM`. */
export function describeClock(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
  }).format(at);
}
