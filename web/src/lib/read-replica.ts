import { dataAsOfHeader, positionHeader } from '@sluice/contract';
import { useSyncExternalStore } from 'react';

const storageKey = 'sluice-position';
/** The longest lag that an operator can allow. */
const keptMs = 60 * 60_000;
/**
 * How long a lagging data time is displayed. Longer than the refresh interval of lists, so that it disappears once a
 * list has caught up.
 */
const shownMs = 30_000;

let asOf: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Reads the replica's state from the headers of a response: the position of a change, and the age of the data. */
export function noteReplica(headers: Headers): void {
  const position = headers.get(positionHeader);
  // Responses may arrive in a different order than the changes.
  if (position !== null && position >= (readPosition() ?? ''))
    localStorage.setItem(storageKey, `${position} ${Date.now()}`);
  const instant = headers.get(dataAsOfHeader);
  if (instant === null) return;
  clearTimeout(timer);
  timer = setTimeout(change, shownMs, null);
  change(instant);
}

/** Returns the header that makes lists include the changes made in this browser. */
export function positionHeaders(): Record<string, string> {
  const position = readPosition();
  return position === null ? {} : { [positionHeader]: position };
}

function readPosition(): string | null {
  const [position, notedMs] = localStorage.getItem(storageKey)?.split(' ') ?? [];
  return position !== undefined && Date.now() - Number(notedMs) < keptMs ? position : null;
}

/** Returns the instant up to which the displayed data includes all changes; `null` if it is up to date. */
export const useDataAge = (): string | null => useSyncExternalStore(subscribe, () => asOf);

function change(instant: string | null): void {
  asOf = instant;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
