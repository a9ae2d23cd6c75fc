import { useSyncExternalStore } from 'react';
import { logFailure } from './describe-failure.ts';

/** Functions that retry the parts that failed to load. */
const waiting = new Set<() => void>();
let isTold = false;
const listeners = new Set<() => void>();

/**
 * Prevents a failed load (offline, or replaced by an update) from breaking the page. The part is not rendered,
 * `FailedParts` reports the failure, and a later attempt may succeed.
 */
export function loadPart<Part>(load: () => Promise<Part>): () => Promise<Part> {
  return () =>
    new Promise((resolve) => {
      const ask = () =>
        void load().then(resolve, (error: unknown) => {
          logFailure('A part of the console could not be loaded', error);
          waiting.add(ask);
          addEventListener('online', retryFailedParts);
          tell(true);
        });
      ask();
    });
}

/** Retries all parts that failed to load. Also called when the browser is online again. */
export function retryFailedParts(): void {
  removeEventListener('online', retryFailedParts);
  removeEventListener('click', retryOnPress, true);
  const asks = [...waiting];
  waiting.clear();
  tell(false);
  for (const ask of asks) ask();
}

/** Hides the notice. The next click on a button or link retries the failed parts. */
export function dismissFailedParts(): void {
  tell(false);
  addEventListener('click', retryOnPress, true);
}

function retryOnPress({ target }: Event): void {
  if (target instanceof Element && target.closest('button, a')) retryFailedParts();
}

export const useHasFailedParts = (): boolean => useSyncExternalStore(subscribe, () => isTold);

function tell(next: boolean): void {
  isTold = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
