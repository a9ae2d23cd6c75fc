import { useSyncExternalStore } from 'react';

const key = 'sluice-time-zone';
const listeners = new Set<() => void>();
let chosen: string | null = typeof window === 'undefined' ? null : localStorage.getItem(key);

/** In which times are shown to the person who is signed in; `null` is the browser's. */
export const readTimeZone = (): string | null => chosen;

export const useTimeZone = (): string | null => useSyncExternalStore(subscribe, readTimeZone);

/** Kept by this browser, too, so that times are right before anything is answered. */
export function setTimeZone(timeZone: string | null): void {
  if (timeZone === chosen) return;
  chosen = timeZone;
  if (timeZone === null) localStorage.removeItem(key);
  else localStorage.setItem(key, timeZone);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
