import { useSyncExternalStore } from 'react';
import { logFailure } from './log-failure.ts';

let hasFailed = false;
const listeners = new Set<() => void>();

/**
 * Keeps a part of the console that cannot be loaded (offline, or its file was replaced by an update) from taking the
 * page along: the part stays away, and `FailedParts` says so. A browser does not ask twice for a module that failed.
 */
export function loadPart<Part>(load: () => Promise<Part>): () => Promise<Part> {
  return () =>
    load().catch((error: unknown) => {
      logFailure('A part of the console could not be loaded', error);
      tellFailedParts(true);
      return new Promise<never>(() => {});
    });
}

export function tellFailedParts(next: boolean): void {
  hasFailed = next;
  for (const listener of listeners) listener();
}

export const useHasFailedParts = (): boolean => useSyncExternalStore(subscribe, () => hasFailed);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
