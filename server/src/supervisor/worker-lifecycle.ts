import { Socket } from 'node:net';
import type { UnreadyReason } from '@sluice/contract';
import type { Metrics } from '#telemetry/metrics/catalogue.ts';
import { createQuestions } from './questions.ts';
import type { Shipped } from './shipper-messages.ts';
import { stopSignals } from './stop-signals.ts';
import type { MessageFromWorker, MessageToWorker, WorkerBoot } from './worker-messages.ts';

/** `hasMore`: others wait behind this connection. */
type Accept = (connection: Socket, hasMore: boolean) => void;

export interface WorkerLifecycle {
  /** What the supervisor tells. */
  receiveBoot(): Promise<WorkerBoot>;
  /** `drain` finishes the work in hand and then the process ends. It is called at most once. */
  onDrain(drain: () => Promise<void>): void;
  /** `callback` hears why the node is not ready, and `null` once it is. */
  onUnready(callback: (reason: UnreadyReason | null) => void): void;
  /** `catchUp` resolves when this worker has read every change committed before the call; it may reject. */
  onCatchUp(catchUp: () => Promise<void>): void;
  /** `callback` hears of each batch of this worker's requests that is in the database. */
  onShipped(callback: (shipped: Shipped) => void): void;
  /** `readMetrics` says what this worker has counted. */
  onReadMetrics(readMetrics: () => Metrics): void;
  /** Of all processes of the node. */
  readNodeMetrics(): Promise<readonly Metrics[]>;
  /** Resolves when all other workers of the node have done so, as far as they can tell. */
  catchUpPeers(): Promise<void>;
  /** Tells the supervisor that connections are taken from now on; those that come go to `accept`. */
  reportReady(accept: Accept): void;
  /** Tells the supervisor why this worker cannot start, and ends it. */
  reportFailure(error: unknown): void;
}

/** Ties this process to its supervisor: it boots, drains and ends with it. Call it first in a worker's main file. */
export function installWorkerLifecycle(): WorkerLifecycle {
  const boot = Promise.withResolvers<WorkerBoot>();
  const drain = createDrain();
  let tellUnready: (reason: UnreadyReason | null) => void = () => {};
  let accept: Accept = () => {};
  let catchUp = async () => {};
  let applyShipped: (shipped: Shipped) => void = () => {};
  const node = exchangeWithNode();
  process.on('message', (message: MessageToWorker, handle: unknown) => {
    if (message.type === 'start') boot.resolve(message.boot);
    if (message.type === 'unready') tellUnready(message.reason);
    if (message.type === 'drain') void drain.begin();
    if (message.type === 'shipped') applyShipped(message.shipped);
    node.receive(message);
    if (message.type === 'catch-up') answerCatchUp(catchUp(), message.id);
    if (message.type === 'connection')
      receiveConnection(handle, message.hasMore, drain.hasBegun() ? null : accept);
  });
  // Whoever signals this process alone gets what the supervisor would do.
  endWithSupervisor(async () => {
    tellUnready('draining');
    setTimeout(drain.begin, (await boot.promise).config.drain.delayMs);
  });

  return {
    receiveBoot() {
      send({ type: 'waiting' });
      return boot.promise;
    },
    onDrain: drain.set,
    onUnready(callback) {
      tellUnready = callback;
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

/** Nothing is in hand before it is set, so until then ending is draining. */
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

/** What this worker asks of its node, and what it is asked of its figures. */
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

/** The terminal and npm signal the whole process group, so signals come beside the supervisor's own message. */
function endWithSupervisor(onSignal: () => void): void {
  process.once('disconnect', () => process.exit(1));
  for (const signal of stopSignals) process.on(signal, onSignal);
}

/** Without `accept` it is refused. */
function receiveConnection(handle: unknown, hasMore: boolean, accept: Accept | null): void {
  // Told before a byte is read: what is not taken goes to another worker untouched.
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
