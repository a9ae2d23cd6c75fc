import { useSyncExternalStore } from 'react';
import { logFailure } from './describe-failure.ts';

let held: PromiseWithResolvers<void> | null = null;
const listeners = new Set<() => void>();

/** Holds back the calls of an open page whose session ended until its user signs in. */
export function holdCalls(): void {
  if (held) return;
  held = Promise.withResolvers<void>();
  held.promise.catch((error: unknown) => logFailure('Calls of the ended session were dropped', error));
  tell();
}

/** Starts the held calls in the new session; drops them if the user leaves the page or another user signs in. */
export function releaseCalls(mayStart: boolean): void {
  if (mayStart) held?.resolve();
  else held?.reject(new Error('The session of this page has ended'));
  held = null;
  tell();
}

/** Resolves as soon as calls are no longer held back. */
export const untilCallsMayStart = (): Promise<void> => held?.promise ?? Promise.resolve();

/** Whether the page is waiting for its user to sign in. */
export const useAreCallsHeld = (): boolean => useSyncExternalStore(subscribe, () => held !== null);

function tell(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
