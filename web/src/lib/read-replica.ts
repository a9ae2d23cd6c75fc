import { dataAsOfHeader, positionHeader } from '@sluice/contract';
import { useSyncExternalStore } from 'react';

const storageKey = 'sluice-position';
/** Maximum replica lag that an operator can configure, in milliseconds. */
const keptMs = 60 * 60_000;
/**
 * How long in milliseconds the time of lagging data is displayed. Longer than the refetch interval of lists, so that
 * the notice remains until a list has caught up.
 */
const shownMs = 30_000;

let asOf: string | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** Reads the replica headers of a response: the position of a change, and the time of the data. */
export function noteReplica(headers: Headers): void {
  const position = headers.get(positionHeader);
  // Responses may arrive in a different order than their changes, so an older position is ignored.
  if (position !== null && position >= (readPosition() ?? ''))
    localStorage.setItem(storageKey, `${position} ${Date.now()}`);
  const instant = headers.get(dataAsOfHeader);
  if (instant === null) return;
  clearTimeout(timer);
  timer = setTimeout(change, shownMs, null);
  change(instant);
}

/** Returns the request header that makes lists include the changes made in this browser. */
export function positionHeaders(): Record<string, string> {
  const position = readPosition();
  return position === null ? {} : { [positionHeader]: position };
}

function readPosition(): string | null {
  const [position, notedMs] = localStorage.getItem(storageKey)?.split(' ') ?? [];
  return position !== undefined && Date.now() - Number(notedMs) < keptMs ? position : null;
}

/** Returns the instant until which the displayed data includes all changes, or `null` if the data is current. */
export const useDataAge = (): string | null => useSyncExternalStore(subscribe, () => asOf);

function change(instant: string | null): void {
  asOf = instant;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
