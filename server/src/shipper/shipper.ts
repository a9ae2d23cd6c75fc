import { existsSync } from 'node:fs';
import type { OnProblem } from '#gateway/journal/frame.ts';
import { listRuns } from '#gateway/journal/segment-files.ts';
import { type Destination, Run } from './run.ts';
import type { Backlog } from './shipper-metrics.ts';

const firstRetryMs = 50;
const lastRetryMs = 5000;

export interface ShipperOptions {
  slotDirs: readonly string[];
  openDestination: (runDir: string) => Destination;
  /** Interval between the starts of two passes in milliseconds; 500 by default. */
  intervalMs?: number;
  /** Called after each pass over all journals without a failure. */
  onUpToDate?: (() => void) | undefined;
  onProblem: OnProblem;
}

export interface Shipper {
  /** Ships all remaining records and resolves when all runs are complete. Call after all workers have exited. */
  drain(): Promise<void>;
  readBacklog(): Backlog;
  stop(): Promise<void>;
}

/** Ships the journals of the given slots in order and with unlimited retries. */
export function startShipper(options: ShipperOptions): Shipper {
  const { slotDirs, intervalMs = 500, onUpToDate = () => undefined } = options;
  const runs = new Map<string, Run>();
  const shipRuns = createShipRuns(options, runs);
  const drained = Promise.withResolvers<void>();
  let isDraining = false;
  let isStopped = false;
  let wake = () => {};

  const pause = (ms: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
    if (isStopped) wake();
    return promise;
  };
  const loop = async () => {
    let retryMs = firstRetryMs;
    while (!isStopped) {
      const startedMs = performance.now();
      const isShipped = await shipRuns(() => isStopped);
      if (isShipped) onUpToDate();
      if (isDraining && slotDirs.flatMap(listRuns).length === 0) drained.resolve();
      // Shorten the delay randomly, so that nodes do not all reconnect to a recovering database at the same time.
      const retryAfterMs = retryMs * (1 - Math.random() / 2);
      const nextMs = isDraining ? firstRetryMs : intervalMs - (performance.now() - startedMs);
      retryMs = isShipped ? firstRetryMs : Math.min(2 * retryMs, lastRetryMs);
      await pause(isShipped ? Math.max(0, nextMs) : retryAfterMs);
    }
  };
  const running = loop();
  return {
    readBacklog: () => sumBacklogs([...runs.values()]),
    drain() {
      isDraining = true;
      wake();
      return drained.promise;
    },
    stop() {
      isStopped = true;
      wake();
      return running;
    },
  };
}

/** Resolves to `false` if any run could not be shipped. */
function createShipRuns({ slotDirs, openDestination, onProblem }: ShipperOptions, runs: Map<string, Run>) {
  const shipRun = async (dir: string): Promise<boolean> => {
    try {
      const run = runs.getOrInsertComputed(dir, () => new Run(dir, openDestination(dir), onProblem));
      await run.ship();
      return true;
    } catch (error) {
      onProblem({ kind: 'ship-failed', path: dir, error });
      return false;
    } finally {
      // A run without a folder is complete, even if its position could not be removed.
      if (!existsSync(dir)) runs.delete(dir);
    }
  };
  return async (isStopped: () => boolean): Promise<boolean> => {
    let isShipped = true;
    for (const dir of slotDirs.flatMap(listRuns)) {
      if (!isStopped()) isShipped = (await shipRun(dir)) && isShipped;
    }
    return isShipped;
  };
}

function sumBacklogs(runs: readonly Run[]): Backlog {
  const backlogs = runs.map((run) => run.readBacklog());
  const bytes = backlogs.reduce((sum, backlog) => sum + backlog.bytes, 0);
  return { bytes, ageMs: Math.max(0, ...backlogs.map(({ ageMs }) => ageMs)) };
}
