import { ownShare, withShare } from '#db/fair-pool.ts';
import type { SystemDatabase } from '#db/system.ts';
import { systemClock } from '#platform/clock.ts';
import type { Logger } from '#platform/logger.ts';
import type { Job } from './job.ts';
import { runAlone } from './run-alone.ts';
import { listWaits, planJobs } from './schedule.ts';

export interface RunningJobs {
  stop(): Promise<void>;
}

/** Maximum delay until this node notices jobs that another node has planned or requested. */
const lookMaxMs = 5_000;
const lookMinMs = 100;
const planEveryMs = 3_600_000;
/** Random delay that prevents workers from polling simultaneously. */
const jitterMs = 250;

/** Runs jobs on their schedules. All nodes do so, and each job runs on one node at a time. */
export function startJobs(database: SystemDatabase, jobs: readonly Job[], log: Logger): RunningJobs {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = createPause(signal);
  const lanes = createLanes((job) => runAlone(database, job, log, { signal, isDueOnly: true }), signal);

  /** Starts due jobs. Returns the milliseconds until the next job is due. */
  const look = async (): Promise<number> => {
    const waits = await listWaits(database, jobs);
    const due = jobs.filter(({ name }) => (waits.get(name) ?? Number.POSITIVE_INFINITY) <= 0);
    if (!signal.aborted) lanes.start(due, pause.end);
    const coming = [...waits.values()].filter((waitMs) => waitMs > 0);
    return Math.max(lookMinMs, Math.min(lookMaxMs, ...coming));
  };
  const follow = async () => {
    let plannedMs = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      try {
        if (performance.now() - plannedMs >= planEveryMs) {
          await planJobs(database, jobs, systemClock);
          plannedMs = performance.now();
        }
        await pause.take(await look());
      } catch (error) {
        log.warn({ error }, 'the schedule of jobs cannot be read');
        await pause.take(lookMaxMs);
      }
    }
  };
  const following = withShare(ownShare('jobs'), follow);
  return {
    async stop() {
      stopping.abort();
      await following;
      await lanes.whenEnded();
    },
  };
}

/** Lane whose jobs run sequentially, so that jobs due at the same time do not compete for connections. */
type Lane = 'transactions' | 'steps' | 'long steps';

function laneOf(job: Job): Lane {
  if ('run' in job) return 'transactions';
  return job.isLong ? 'long steps' : 'steps';
}

/** `run` resolves with `false` if the job was skipped. */
function createLanes(run: (job: Job) => Promise<boolean>, signal: AbortSignal) {
  const running = new Map<Lane, Promise<void>>();
  const runAll = async (due: readonly Job[]): Promise<boolean> => {
    let hasRun = false;
    for (const job of due) {
      if (signal.aborted) break;
      // A failed run is already logged and planned again at this point.
      if (await run(job).catch(() => true)) hasRun = true;
    }
    return hasRun;
  };
  return {
    /** `onRan` is called when a lane is done and has run at least one job. */
    start(due: readonly Job[], onRan: () => void): void {
      for (const [lane, ofLane] of Map.groupBy(due, laneOf)) {
        if (running.has(lane)) continue;
        const work = runAll(ofLane).then((hasRun) => {
          running.delete(lane);
          if (hasRun) onRan();
        });
        running.set(lane, work);
      }
    },
    async whenEnded(): Promise<void> {
      await Promise.all(running.values());
    },
  };
}

/** `end` or the signal ends a pause early. An `end` between two pauses ends the next pause. */
function createPause(signal: AbortSignal) {
  let isEnded = false;
  let wake: () => void = () => undefined;
  const end = () => {
    isEnded = true;
    wake();
  };
  signal.addEventListener('abort', end);
  return {
    end,
    async take(ms: number): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      if (isEnded) resolve();
      const timer = setTimeout(resolve, ms + Math.random() * jitterMs).unref();
      await promise;
      clearTimeout(timer);
      isEnded = false;
    },
  };
}
