import cluster, { type Worker } from 'node:cluster';
import type { RunningProcess } from '#platform/keep-running.ts';
import { describeExit } from '#platform/process-exit.ts';
import { explainListenError } from './listen-address.ts';
import type { MessageFromWorker, MessageToWorker, WorkerBoot } from './worker-messages.ts';

/** A forked worker. `ready` rejects when it cannot start. */
export type WorkerProcess = RunningProcess & { ready: Promise<void> };

/** Forks a worker and boots it. Its `stop` lets it drain until `deadline` aborts. */
export function forkWorker(boot: WorkerBoot, deadline: AbortSignal): WorkerProcess {
  const worker = cluster.fork();
  let failure: unknown;
  const exited = describeExit(worker).then((reason) => (failure ? `${reason}: ${failure}` : reason));
  const ready = Promise.withResolvers<void>();
  // Only the first start waits for it; a later worker that cannot start is replaced like any that ends.
  ready.promise.catch(() => {});
  exited.then((reason) => ready.reject(new Error(`worker ${boot.slot} ${reason} before it was ready`)));

  let order: MessageToWorker = { type: 'start', boot };
  worker.on('message', (message: MessageFromWorker) => {
    if (message.type === 'waiting') send(worker, order);
    if (message.type === 'ready') ready.resolve();
    if (message.type === 'failed') {
      failure = explainFailure(message, boot);
      ready.reject(failure);
    }
  });
  return {
    ready: ready.promise,
    exited,
    async stop() {
      order = { type: 'drain' };
      send(worker, order);
      const kill = () => worker.process.kill('SIGKILL');
      if (deadline.aborted) kill();
      else deadline.addEventListener('abort', kill, { once: true });
      await exited;
    },
  };
}

function explainFailure(failure: { message: string; code: string | undefined }, boot: WorkerBoot): unknown {
  const error = Object.assign(new Error(failure.message), { code: failure.code });
  return explainListenError(error, boot.config.http);
}

function send(worker: Worker, message: MessageToWorker): void {
  // To a worker that is going, nothing needs to be said; its exit is what we wait for.
  if (worker.isConnected()) worker.send(message, () => {});
}
