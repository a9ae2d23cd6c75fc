import { setTimeout as pause } from 'node:timers/promises';

/** Resolves when the work has settled or the time is over. */
export async function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  const timeout = pause(limitMs, undefined, { signal: waiting.signal });
  await Promise.race([work, timeout]).catch(() => undefined);
  waiting.abort();
  await timeout.catch(() => undefined);
}
