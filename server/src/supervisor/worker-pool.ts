import { keepRunning } from '#platform/keep-running.ts';
import type { Logger } from '#platform/logger.ts';
import { orAborted } from '#platform/or-aborted.ts';
import type { ConnectionReceiver } from './connection-dispatcher.ts';
import type { WorkerBoot } from './worker-messages.ts';
import { forkWorker, type WorkerProcess } from './worker-process.ts';

export interface WorkerPool {
  /** Resolves when every worker is ready, and rejects when one cannot start. */
  whenReady(): Promise<void>;
  /** Lets every worker drain; kills what is left when the time is over or `forced` aborts. */
  stop(): Promise<void>;
}

interface Options {
  file: string;
  boots: WorkerBoot[];
  /** Hears of each worker that has become ready. */
  onReady: (worker: ConnectionReceiver) => void;
  /** Ships what a dead worker left in its slot. */
  replay: (slotDir: string) => Promise<void>;
  drainTimeoutMs: number;
  forced: AbortSignal;
  log: Logger;
}

/** Forks a worker for each boot, and a new one for each that dies, once what it left is shipped. */
export function startWorkers(options: Options): WorkerPool {
  const { file, boots, onReady, replay, drainTimeoutMs, forced, log } = options;
  const timeout = new AbortController();
  const deadline = AbortSignal.any([timeout.signal, forced]);
  const ready = new Set<WorkerProcess>();
  const start = (boot: WorkerBoot) => {
    const worker: WorkerProcess = forkWorker(file, boot, deadline, async () => {
      const peers = [...ready].filter((peer) => peer !== worker);
      await Promise.all(peers.map((peer) => peer.catchUp()));
    });
    worker.ready.then(
      () => {
        ready.add(worker);
        onReady(worker);
      },
      () => {},
    );
    worker.exited.then(() => ready.delete(worker));
    return worker;
  };
  const workers = boots.map((boot) => {
    const first = start(boot);
    const launch = async () => {
      await orAborted(deadline, () => replay(boot.slotDir));
      return start(boot);
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
