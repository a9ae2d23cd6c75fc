import { useSyncExternalStore } from 'react';
import { logFailure } from './describe-failure.ts';

let held: PromiseWithResolvers<void> | null = null;
const listeners = new Set<() => void>();

/** Holds back the requests of an open page whose session ended, until the user signs in again. */
export function holdCalls(): void {
  if (held) return;
  held = Promise.withResolvers<void>();
  held.promise.catch((error: unknown) => logFailure('Calls of the ended session were dropped', error));
  tell();
}

/** Sends the held requests in the new session. Drops them if the user leaves the page or another user signs in. */
export function releaseCalls(mayStart: boolean): void {
  if (mayStart) held?.resolve();
  else held?.reject(new Error('The session of this page has ended'));
  held = null;
  tell();
}

export const untilCallsMayStart = (): Promise<void> => held?.promise ?? Promise.resolve();

export const useAreCallsHeld = (): boolean => useSyncExternalStore(subscribe, () => held !== null);

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
