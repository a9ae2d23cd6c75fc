import { isTimeZone } from '@sluice/contract';
import { useSyncExternalStore } from 'react';

const key = 'sluice-time-zone';
const listeners = new Set<() => void>();
let chosen = toKnown(typeof window === 'undefined' ? null : localStorage.getItem(key));

/** In which times are shown to the person who is signed in; `null` is the browser's. */
export const readTimeZone = (): string | null => chosen;

export const useTimeZone = (): string | null => useSyncExternalStore(subscribe, readTimeZone);

/** Kept by this browser, too, so that times are right before anything is answered. */
export function setTimeZone(wanted: string | null): void {
  const timeZone = toKnown(wanted);
  if (timeZone === chosen) return;
  chosen = timeZone;
  if (timeZone === null) localStorage.removeItem(key);
  else localStorage.setItem(key, timeZone);
  for (const listener of listeners) listener();
}

/** The server may know zones that this browser does not. */
function toKnown(timeZone: string | null): string | null {
  return timeZone !== null && isTimeZone(timeZone) ? timeZone : null;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

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
