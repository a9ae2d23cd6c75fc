import type { UnreadyReason } from '@sluice/contract';
import { keepRunning } from '#platform/keep-running.ts';
import type { Logger } from '#platform/logger.ts';
import type { ConnectionReceiver } from './connection-dispatcher.ts';
import type { NodeMetrics } from './node-metrics.ts';
import type { Shipped } from './shipper-messages.ts';
import { nameRun } from './slot.ts';
import type { WorkerBoot } from './worker-messages.ts';
import { forkWorker, type WorkerProcess } from './worker-process.ts';

export interface WorkerPool {
  /** Resolves when every worker is ready; rejects if one cannot start. */
  whenReady(): Promise<void>;
  /** Notifies the worker, if it is alive, that requests of it are in the database. */
  tellShipped(shipped: Shipped): void;
  /** Sets what each worker returns to probes: why the node is not ready, or `null`. */
  tellUnready(reason: UnreadyReason | null): void;
  /** Lets every worker drain; kills the rest when the time is over or `forced` aborts. */
  stop(): Promise<void>;
}

/** Boot data of a worker without the parts that change with each run. */
type SlotBoot = Omit<WorkerBoot, 'journalDir'> & { slotDir: string };

interface Options {
  file: string;
  boots: SlotBoot[];
  metrics: NodeMetrics;
  /** Called with each worker that has become ready. */
  onReady: (worker: ConnectionReceiver) => void;
  /** Time after which a draining worker is killed. */
  killAfterMs: number;
  forced: AbortSignal;
  log: Logger;
}

/** Forks a worker for each boot and replaces those that die. */
export function startWorkers(options: Options): WorkerPool {
  const { file, boots, metrics, onReady, killAfterMs, forced, log } = options;
  const timeout = new AbortController();
  const deadline = AbortSignal.any([timeout.signal, forced]);
  const ready = new Set<WorkerProcess>();
  let unready: UnreadyReason | null = null;
  const start = ({ slotDir, ...slotBoot }: SlotBoot) => {
    const boot = { ...slotBoot, journalDir: nameRun(slotDir) };
    const catchUpPeers = async () => {
      const peers = [...ready].filter((peer) => peer !== worker);
      await Promise.all(peers.map((peer) => peer.catchUp()));
    };
    const asks = { catchUpPeers, readNodeMetrics: metrics.read };
    const worker: WorkerProcess = forkWorker(file, boot, deadline, asks);
    worker.ready.then(
      () => {
        ready.add(worker);
        worker.tellUnready(unready);
        metrics.add('worker', worker);
        onReady(worker);
      },
      () => {},
    );
    worker.exited.then(() => ready.delete(worker));
    return worker;
  };
  const workers = boots.map((boot) => {
    const first = start(boot);
    const launch = async () => start(boot);
    return { ready: first.ready, stop: keepRunning(first, { name: `worker ${boot.slot}`, launch, log }) };
  });
  return {
    async whenReady() {
      await Promise.all(workers.map((worker) => worker.ready));
    },
    tellShipped(shipped) {
      for (const worker of ready) if (worker.journalDir === shipped.journalDir) worker.tellShipped(shipped);
    },
    tellUnready(reason) {
      unready = reason;
      for (const worker of ready) worker.tellUnready(reason);
    },
    async stop() {
      const timer = setTimeout(() => timeout.abort(), killAfterMs);
      await Promise.all(workers.map((worker) => worker.stop()));
      clearTimeout(timer);
    },
  };
}
