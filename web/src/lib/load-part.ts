import { useSyncExternalStore } from 'react';
import { logFailure } from './log-failure.ts';

let waiting: readonly (() => void)[] = [];
const listeners = new Set<() => void>();

/**
 * Makes a load of a part of the console wait for a retry when it fails, instead of failing: offline, or after an
 * update has replaced the file, the page around the part goes on. `FailedParts` tells of it.
 */
export function loadPart<Part>(load: () => Promise<Part>): () => Promise<Part> {
  return async () => {
    for (;;) {
      try {
        return await load();
      } catch (error) {
        logFailure('A part of the console could not be loaded', error);
        await new Promise<void>((retry) => setWaiting([...waiting, retry]));
      }
    }
  };
}

/** Loads again whatever failed to load. */
export function retryFailedParts(): void {
  const retries = waiting;
  setWaiting([]);
  for (const retry of retries) retry();
}

export const useHasFailedParts = (): boolean => useSyncExternalStore(subscribe, () => waiting.length > 0);

function setWaiting(next: typeof waiting): void {
  waiting = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
