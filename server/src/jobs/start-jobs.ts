import { shareOfJobs, withShare } from '#db/connection-share.ts';
import type { SystemDatabase } from '#db/system.ts';
import { systemClock } from '#platform/clock.ts';
import type { Logger } from '#platform/logger.ts';
import type { Job } from './job.ts';
import { runAlone } from './run-alone.ts';
import { listWaits, planJobs } from './schedule.ts';

export interface RunningJobs {
  /** Starts no more; resolves when what runs has ended. */
  stop(): Promise<void>;
}

/** Jobs of a lane run one after another, so that jobs that are due at once do not compete for connections. */
type Lane = 'transactions' | 'steps' | 'long steps';

/** Jobs that another node has planned or requested are noticed after this at the latest. */
const lookMaxMs = 5_000;
const lookMinMs = 100;
/** Keeps workers from looking at the same instant. */
const jitterMs = 250;

/** Runs jobs on their schedules, on every node, each of them on one node at a time. */
export function startJobs(database: SystemDatabase, jobs: readonly Job[], log: Logger): RunningJobs {
  const stopping = new AbortController();
  const { signal } = stopping;
  const lanes = new Map<Lane, Promise<void>>();
  let wake: () => void = () => undefined;

  /** Returns whether any job ran; one that another node runs is skipped. */
  const runAll = async (due: readonly Job[]) => {
    let hasRun = false;
    for (const job of due) {
      if (signal.aborted) break;
      const run = () => runAlone(database, job, log, { signal, isDueOnly: true });
      // A failed run is logged and planned again by then.
      if (await withShare(shareOfJobs, run).catch(() => true)) hasRun = true;
    }
    return hasRun;
  };
  const startDue = (waits: ReadonlyMap<string, number>) => {
    const due = jobs.filter(({ name }) => (waits.get(name) ?? Number.POSITIVE_INFINITY) <= 0);
    for (const [lane, ofLane] of Map.groupBy(due, laneOf)) {
      if (lanes.has(lane)) continue;
      const running = runAll(ofLane).then((hasRun) => {
        lanes.delete(lane);
        if (hasRun) wake();
      });
      lanes.set(lane, running);
    }
  };
  const look = async (): Promise<number> => {
    const waits = await listWaits(database, jobs);
    if (signal.aborted) return 0;
    startDue(waits);
    const coming = [...waits.values()].filter((waitMs) => waitMs > 0);
    return Math.max(lookMinMs, Math.min(lookMaxMs, ...coming));
  };
  const looking = (async () => {
    let isPlanned = false;
    while (!signal.aborted) {
      try {
        if (!isPlanned) await withShare(shareOfJobs, () => planJobs(database, jobs, systemClock));
        isPlanned = true;
        await sleep(await withShare(shareOfJobs, look));
      } catch (error) {
        log.warn({ error }, 'the schedule of jobs cannot be read');
        await sleep(lookMaxMs);
      }
    }
  })();
  function sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms + Math.random() * jitterMs);
    timer.unref();
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
    if (signal.aborted) wake();
    return promise;
  }
  return {
    async stop() {
      stopping.abort();
      wake();
      await looking;
      await Promise.all(lanes.values());
    },
  };
}

function laneOf(job: Job): Lane {
  if ('run' in job) return 'transactions';
  return job.isLong ? 'long steps' : 'steps';
}
