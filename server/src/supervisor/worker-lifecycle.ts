import { Socket } from 'node:net';
import type { UnreadyReason } from '@sluice/contract';
import type { Metrics } from '#telemetry/metrics/catalogue.ts';
import {
  createQuestions,
  type MessageFromWorker,
  type MessageToWorker,
  type Shipped,
  type WorkerBoot,
} from './messages.ts';
import { stopSignals } from './stop-signals.ts';

type Accept = (connection: Socket, hasMore: boolean) => void;

export interface WorkerLifecycle {
  receiveBoot(): Promise<WorkerBoot>;
  /** Sets the function that finishes running work before the process exits. The function is called at most once. */
  onDrain(drain: () => Promise<void>): void;
  /** Sets the callback for the reason why the node is not ready. The reason is `null` once the node is ready. */
  onUnready(callback: (reason: UnreadyReason | null) => void): void;
  /** Sets the function whose promise resolves when this worker has read every change committed before the call. */
  onCatchUp(catchUp: () => Promise<void>): void;
  onShipped(callback: (shipped: Shipped) => void): void;
  onReadMetrics(readMetrics: () => Metrics): void;
  readNodeMetrics(): Promise<readonly Metrics[]>;
  /** Resolves when the supervisor reports that all other workers of the node have caught up. */
  catchUpPeers(): Promise<void>;
  /** Reports to the supervisor that this worker accepts connections. Connections are passed to `accept`. */
  reportReady(accept: Accept): void;
  reportFailure(error: unknown): void;
}

/** Must be called first in a worker's main file. */
export function installWorkerLifecycle(): WorkerLifecycle {
  const boot = Promise.withResolvers<WorkerBoot>();
  const drain = createDrain();
  let sendUnready: (reason: UnreadyReason | null) => void = () => {};
  let accept: Accept = () => {};
  let catchUp = async () => {};
  let applyShipped: (shipped: Shipped) => void = () => {};
  const node = exchangeWithNode();
  process.on('message', (message: MessageToWorker, handle: unknown) => {
    if (message.type === 'start') boot.resolve(message.boot);
    if (message.type === 'unready') sendUnready(message.reason);
    if (message.type === 'drain') void drain.begin();
    if (message.type === 'shipped') applyShipped(message.shipped);
    node.receive(message);
    if (message.type === 'catch-up') answerCatchUp(catchUp(), message.id);
    if (message.type === 'connection')
      receiveConnection(handle, message.hasMore, drain.hasBegun() ? null : accept);
  });
  // A signal to this process alone has the same effect as a stop by the supervisor.
  endWithSupervisor(async () => {
    sendUnready('draining');
    setTimeout(drain.begin, (await boot.promise).config.drain.delayMs);
  });

  return {
    receiveBoot() {
      send({ type: 'waiting' });
      return boot.promise;
    },
    onDrain: drain.set,
    onUnready(callback) {
      sendUnready = callback;
    },
    onCatchUp(callback) {
      catchUp = callback;
    },
    onShipped(callback) {
      applyShipped = callback;
    },
    onReadMetrics: node.onReadMetrics,
    readNodeMetrics: node.readMetrics,
    catchUpPeers: node.catchUpPeers,
    reportReady(callback) {
      accept = callback;
      send({ type: 'ready' });
    },
    reportFailure,
  };
}

/** Until `finishWork` is set, there is no running work, and draining only exits. */
function createDrain() {
  let finishWork = async () => {};
  let hasBegun = false;
  return {
    set(drain: () => Promise<void>): void {
      finishWork = drain;
    },
    hasBegun: () => hasBegun,
    async begin(): Promise<void> {
      if (hasBegun) return;
      hasBegun = true;
      await finishWork();
      process.exit(0);
    },
  };
}

function exchangeWithNode() {
  let readOwn = (): Metrics => ({});
  const peers = createQuestions((id) => send({ type: 'catch-up-peers', id }));
  const metrics = createQuestions<readonly Metrics[]>((id) => send({ type: 'read-node-metrics', id }));
  return {
    catchUpPeers: peers.ask,
    readMetrics: async () => (await metrics.ask()) ?? [],
    onReadMetrics(callback: () => Metrics) {
      readOwn = callback;
    },
    receive(message: MessageToWorker) {
      if (message.type === 'peers-caught-up') peers.answer(message.id);
      if (message.type === 'node-metrics') metrics.answer(message.id, message.metrics);
      if (message.type === 'read-metrics') send({ type: 'metrics', id: message.id, metrics: readOwn() });
    },
  };
}

function answerCatchUp(catchingUp: Promise<void>, id: number): void {
  const answer = () => send({ type: 'caught-up', id });
  catchingUp.then(answer, answer);
}

/**
 * Exits when the supervisor is gone. `onSignal` is called for signals, which the terminal and npm send to the whole
 * process group.
 */
function endWithSupervisor(onSignal: () => void): void {
  process.once('disconnect', () => process.exit(1));
  for (const signal of stopSignals) process.on(signal, onSignal);
}

function receiveConnection(handle: unknown, hasMore: boolean, accept: Accept | null): void {
  // The reply is sent before any byte is read, so that another worker receives a rejected connection with all bytes.
  send({ type: 'connection', isTaken: accept !== null });
  if (!(handle instanceof Socket)) return;
  if (accept) accept(handle, hasMore);
  else handle.destroy();
}

function reportFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  send({ type: 'failed', message }, () => process.exit(1));
}

function send(message: MessageFromWorker, onSent = () => {}): void {
  process.send?.(message, onSent);
}
