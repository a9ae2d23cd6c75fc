import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import type { UnreadyReason } from '@sluice/contract';
import { workerEnvironment } from '#config/worker-environment.ts';
import type { RunningProcess } from '#platform/keep-running.ts';
import { whenExited } from '#platform/wait.ts';
import type { Metrics } from '#telemetry/metrics/catalogue.ts';
import type { ConnectionReceiver } from './connection-dispatcher.ts';
import {
  createQuestions,
  type MessageFromWorker,
  type MessageToWorker,
  type Shipped,
  type WorkerBoot,
} from './messages.ts';

/** `ready` rejects if the worker cannot start. */
export type WorkerProcess = RunningProcess &
  ConnectionReceiver & {
    ready: Promise<void>;
    /**
     * Resolves when the worker has read every change committed before the call, and also if the worker fails or
     * exits.
     */
    catchUp(): Promise<void>;
    /** Returns `undefined` if the worker has exited. */
    readMetrics(): Promise<Metrics | undefined>;
    journalDir: string;
    sendShipped(shipped: Shipped): void;
    sendUnready(reason: UnreadyReason | null): void;
  };

export interface WorkerRequests {
  catchUpPeers(): Promise<void>;
  readNodeMetrics(): Promise<readonly Metrics[]>;
}

/**
 * Garbage is collected earlier, since after a burst, half of a worker's heap was garbage. Young objects are collected
 * by the main thread alone, since at 500 requests per second, helper threads added 5 to 10% to a worker's CPU time.
 */
const heapOptions = ['--heap-growing-percent=60', '--max-semi-space-size=16', '--no-parallel-scavenge'];

/** `stop` drains the worker, and kills it once `deadline` aborts. */
export function forkWorker(
  file: string,
  boot: WorkerBoot,
  deadline: AbortSignal,
  asks: WorkerRequests,
): WorkerProcess {
  const child = fork(file, { execArgv: heapOptions, env: workerEnvironment() });
  let failure: string | undefined;
  const exited = whenExited(child).then((reason) => (failure ? `${reason}: ${failure}` : reason));
  const ready = Promise.withResolvers<void>();
  // Only the first start awaits `ready`. Later workers that cannot start are replaced like workers that exit.
  ready.promise.catch(() => {});
  exited.then((reason) => ready.reject(new Error(`worker ${boot.slot} ${reason} before it was ready`)));

  let order: MessageToWorker = { type: 'start', boot };
  const offer = createOffer(child);
  const catchUps = createQuestions((id) => send(child, { type: 'catch-up', id }));
  const metrics = createQuestions<Metrics>((id) => send(child, { type: 'read-metrics', id }));
  child.on('message', (message: MessageFromWorker) => {
    if (message.type === 'waiting') send(child, order);
    if (message.type === 'ready') ready.resolve();
    if (message.type === 'connection') offer.answer(message.isTaken);
    if (message.type === 'caught-up') catchUps.answer(message.id);
    if (message.type === 'metrics') metrics.answer(message.id, message.metrics);
    answerRequests(child, message, asks);
    if (message.type === 'failed') {
      failure = message.message;
      ready.reject(new Error(failure));
    }
  });
  // The `exit` event is too early, since last messages may still arrive. The `disconnect` event is not always
  // emitted.
  for (const close of [() => offer.answer(false), catchUps.close, metrics.close]) child.once('close', close);
  return {
    ready: ready.promise,
    exited,
    catchUp: catchUps.ask,
    readMetrics: metrics.ask,
    take: offer.make,
    journalDir: boot.journalDir,
    sendShipped: (shipped) => send(child, { type: 'shipped', shipped }),
    sendUnready: (reason) => send(child, { type: 'unready', reason }),
    async stop() {
      order = { type: 'drain' };
      send(child, order);
      killAt(deadline, child);
      await exited;
    },
  };
}

function killAt(deadline: AbortSignal, child: ChildProcess): void {
  const kill = () => child.kill('SIGKILL');
  if (deadline.aborted) kill();
  else deadline.addEventListener('abort', kill, { once: true });
}

function answerRequests(child: ChildProcess, message: MessageFromWorker, asks: WorkerRequests): void {
  if (message.type === 'catch-up-peers') {
    void asks.catchUpPeers().then(() => send(child, { type: 'peers-caught-up', id: message.id }));
  }
  if (message.type === 'read-node-metrics') {
    const answer = (metrics: readonly Metrics[]) =>
      send(child, { type: 'node-metrics', id: message.id, metrics });
    void asks.readNodeMetrics().then(answer);
  }
}

function createOffer(child: ChildProcess) {
  let answer = (_isTaken: boolean) => {};
  return {
    answer: (isTaken: boolean) => answer(isTaken),
    make(connection: Socket, hasMore: boolean): Promise<boolean> {
      if (!child.connected) return Promise.resolve(false);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      answer = resolve;
      const message: MessageToWorker = { type: 'connection', hasMore };
      // The connection stays open here. Otherwise it would be lost with a worker that is killed before receiving it.
      child.send(message, connection, { keepOpen: true }, (error) => {
        if (error) resolve(false);
      });
      return promise;
    },
  };
}

function send(child: ChildProcess, message: MessageToWorker): void {
  // A disconnected child process is exiting. The exit is awaited elsewhere.
  if (child.connected) child.send(message, () => {});
}
