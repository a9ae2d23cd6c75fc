import { isTimeZone } from '@sluice/contract';
import { useSyncExternalStore } from 'react';

const key = 'sluice-time-zone';
const listeners = new Set<() => void>();
let chosen = toKnown(typeof window === 'undefined' ? null : localStorage.getItem(key));

/** Returns the time zone of the signed-in user; `null` means the browser's. */
export const readTimeZone = (): string | null => chosen;

export const useTimeZone = (): string | null => useSyncExternalStore(subscribe, readTimeZone);

/**
 * Sets the time zone of the signed-in user. The value is also stored in this browser, so that times are correct
 * before the first response.
 */
export function setTimeZone(wanted: string | null): void {
  const timeZone = toKnown(wanted);
  if (timeZone === chosen) return;
  chosen = timeZone;
  if (timeZone === null) localStorage.removeItem(key);
  else localStorage.setItem(key, timeZone);
  for (const listener of listeners) listener();
}

/** Returns `null` for a time zone that the browser does not support. The server may support more time zones. */
function toKnown(timeZone: string | null): string | null {
  return timeZone !== null && isTimeZone(timeZone) ? timeZone : null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const standardZone = 'UTC';

export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns all time zones that the browser supports, and `current` if missing from the browser's list. */
export function listTimeZones(current: string): string[] {
  return [...new Set([standardZone, ...Intl.supportedValuesOf('timeZone'), current])];
}

/** Describes the UTC offset of a time zone at an instant, for example `UTC+05:30`. */
export function describeOffset(timeZone: string, at: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  const offset = parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return offset.replace('GMT', 'UTC');
}

/** Describes the local time in a time zone, for example `Friday, 3:04 PM`. */
export function describeClock(timeZone: string, at: Date): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    hour: 'numeric',
    minute: '2-digit',
    hour12: true,
  }).format(at);
}
