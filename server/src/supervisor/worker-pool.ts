import cluster from 'node:cluster';
import { keepRunning } from '#platform/keep-running.ts';
import type { Logger } from '#platform/logger.ts';
import { orAborted } from '#platform/or-aborted.ts';
import type { WorkerBoot } from './worker-messages.ts';
import { forkWorker } from './worker-process.ts';

export type WorkerPool = {
  /** Resolves when every worker is ready, and rejects when one cannot start. */
  whenReady(): Promise<void>;
  /** Lets every worker drain; kills what is left when the time is over or `forced` aborts. */
  stop(): Promise<void>;
};

type Options = {
  file: string;
  boots: WorkerBoot[];
  /** Ships what a dead worker left in its slot. */
  replay: (slotDir: string) => Promise<void>;
  drainTimeoutMs: number;
  forced: AbortSignal;
  log: Logger;
};

/** Forks a worker for each boot, and a new one for each that dies, once what it left is shipped. */
export function startWorkers({ file, boots, replay, drainTimeoutMs, forced, log }: Options): WorkerPool {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec: file, args: [], execArgv: [] });
  const timeout = new AbortController();
  const deadline = AbortSignal.any([timeout.signal, forced]);
  const workers = boots.map((boot) => {
    const first = forkWorker(boot, deadline);
    const launch = async () => {
      await orAborted(deadline, () => replay(boot.slotDir));
      return forkWorker(boot, deadline);
    };
    return { ready: first.ready, stop: keepRunning(first, { name: `worker ${boot.slot}`, launch, log }) };
  });
  return {
    async whenReady() {
      await Promise.all(workers.map((worker) => worker.ready));
    },
    async stop() {
      const timer = setTimeout(() => timeout.abort(), drainTimeoutMs);
      await Promise.all(workers.map((worker) => worker.stop()));
      clearTimeout(timer);
    },
  };
}
