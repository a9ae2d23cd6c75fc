import type { OnProblem } from '#gateway/journal/record.ts';
import { listRuns } from '#gateway/journal/segment-file.ts';
import { type Destination, Run } from './run.ts';
import type { Backlog } from './shipper-metrics.ts';

const firstRetryMs = 50;
const lastRetryMs = 5000;

export interface ShipperOptions {
  /** The folders of the slots whose journals this shipper reads. */
  slotDirs: readonly string[];
  /** Where the journal of one run goes. */
  openDestination: (runDir: string) => Destination;
  /** The longest that a record waits on disk; 500. */
  intervalMs?: number;
  /** Hears of each pass over the journals in which nothing failed. */
  onUpToDate?: (() => void) | undefined;
  onProblem: OnProblem;
}

export interface Shipper {
  /** Ships all that is left; resolves once no run is, so call it when all workers have ended. */
  drain(): Promise<void>;
  /** What the runs hold that is not in the database yet. */
  readBacklog(): Backlog;
  /** Ends shipping; resolves once the batch in flight has settled. */
  stop(): Promise<void>;
}

/** Takes what the journals of some slots hold to the database, in order, trying again for as long as it takes. */
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
      // Shortened at random, so that the nodes do not return to a recovering database all at once.
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

/** Ships each run once, until `isStopped`; false when something could not be shipped just now. */
function createShipRuns({ slotDirs, openDestination, onProblem }: ShipperOptions, runs: Map<string, Run>) {
  const shipRun = async (dir: string): Promise<boolean> => {
    try {
      const run = runs.getOrInsertComputed(dir, () => new Run(dir, openDestination(dir), onProblem));
      if (await run.ship()) runs.delete(dir);
      return true;
    } catch (error) {
      onProblem({ kind: 'ship-failed', path: dir, error });
      return false;
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
