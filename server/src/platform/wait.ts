import { type EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/** Resolves when the work has settled, or after `limitMs`. */
export async function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  const waiting = new AbortController();
  const timeout = pause(limitMs, undefined, { signal: waiting.signal });
  await Promise.race([work, timeout]).catch(() => undefined);
  waiting.abort();
  await timeout.catch(() => undefined);
}

/**
 * Returns the result of `work`, or rejects as soon as the signal aborts. Work that has started continues, but its
 * result is ignored.
 */
export async function orAborted<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work(), aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Resolves with the reason, worded as the end of a sentence. */
export async function whenExited(child: EventEmitter): Promise<string> {
  try {
    const [code, signal] = await once(child, 'exit');
    return `ended with ${signal ?? `exit code ${code}`}`;
  } catch (error) {
    return `failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}
