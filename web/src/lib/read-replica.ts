import { dataAsOfHeader, positionHeader } from '@sluice/contract';
import { useSyncExternalStore } from 'react';

const storageKey = 'sluice-position';
/** The longest lag that an operator can allow. */
const keptMs = 60 * 60_000;
/** Lists refresh more often than this, so a list that has caught up no longer counts. */
const shownMs = 30_000;

let asOf: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Reads what a response says about the replica that lists are read from. */
export function noteReplica(headers: Headers): void {
  const position = headers.get(positionHeader);
  // Responses may arrive in another order than the changes were made.
  if (position !== null && position >= (readPosition() ?? ''))
    localStorage.setItem(storageKey, `${position} ${Date.now()}`);
  const instant = headers.get(dataAsOfHeader);
  if (instant === null) return;
  clearTimeout(timer);
  timer = setTimeout(change, shownMs, null);
  change(instant);
}

/** Returns the header with which lists include the changes made in this browser. */
export function positionHeaders(): Record<string, string> {
  const position = readPosition();
  return position === null ? {} : { [positionHeader]: position };
}

function readPosition(): string | null {
  const [position, notedMs] = localStorage.getItem(storageKey)?.split(' ') ?? [];
  return position !== undefined && Date.now() - Number(notedMs) < keptMs ? position : null;
}

/** Instant up to which the data shown has all changes; `null` if it is up to date. */
export const useDataAge = (): string | null => useSyncExternalStore(subscribe, () => asOf);

function change(instant: string | null): void {
  asOf = instant;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
