import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from './logger.ts';

export interface RunningProcess {
  exited: Promise<string>;
  stop(): Promise<void>;
}

interface Options<Process> {
  name: string;
  launch: () => Promise<Process>;
  log: Logger;
}

const minDelayMs = 250;
const maxDelayMs = 10_000;
// Minimum run time of a process that did not fail at startup. Such a process is restarted without a delay.
const steadyMs = 10_000;

/** Returns a function that stops the process permanently. */
export function keepRunning<Process extends RunningProcess>(
  first: Process,
  { name, launch, log }: Options<Process>,
): () => Promise<void> {
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  let current = first;

  async function watch(): Promise<void> {
    let delayMs = 0;
    while (true) {
      const startedAtMs = performance.now();
      const reason = await current.exited;
      if (isStopping()) return;
      log.error({ reason }, `${name} exited; restarting it`);
      if (performance.now() - startedAtMs > steadyMs) delayMs = 0;
      delayMs = await relaunch(delayMs);
      if (isStopping()) return current.stop();
    }
  }

  /** Returns the delay before the next launch. */
  async function relaunch(firstDelayMs: number): Promise<number> {
    let delayMs = firstDelayMs;
    while (!isStopping()) {
      await delay(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
      delayMs = Math.min(Math.max(delayMs * 2, minDelayMs), maxDelayMs);
      if (isStopping()) break;
      try {
        current = await launch();
        log.warn(`${name} is running again`);
        break;
      } catch (error) {
        log.error({ error }, `${name} cannot be started yet`);
      }
    }
    return delayMs;
  }

  const watching = watch();
  return async () => {
    stopping.abort();
    await current.stop();
    await watching;
  };
}
