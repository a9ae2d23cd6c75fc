import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '#platform/logger.ts';
import type { Postmaster } from './postmaster.ts';

const firstDelayMs = 100;
const maxDelayMs = 10_000;

/** Launches the server again whenever it dies by itself. Returns the function that ends it for good. */
export function keepRunning(
  first: Postmaster,
  launch: () => Promise<Postmaster>,
  log: Logger,
): () => Promise<void> {
  const stopping = new AbortController();
  let current = first;

  async function relaunch(): Promise<void> {
    for (let delayMs = firstDelayMs; !stopping.signal.aborted; delayMs = Math.min(delayMs * 2, maxDelayMs)) {
      try {
        current = await launch();
        log.warn({ pid: current.pid }, 'PostgreSQL is back');
        return;
      } catch (error) {
        log.error({ err: error }, 'PostgreSQL cannot be started again yet');
      }
      await delay(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  async function watch(): Promise<void> {
    while (true) {
      const reason = await current.exited;
      if (stopping.signal.aborted) return;
      log.error({ reason }, 'PostgreSQL died');
      await relaunch();
      if (stopping.signal.aborted) return current.stop();
    }
  }

  const watching = watch();
  return async () => {
    stopping.abort();
    await current.stop();
    await watching;
  };
}
