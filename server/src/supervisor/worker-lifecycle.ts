import { Socket } from 'node:net';
import { createQuestions } from './questions.ts';
import { lockSlot } from './slot.ts';
import { stopSignals } from './stop-signals.ts';
import type { MessageFromWorker, MessageToWorker, WorkerBoot } from './worker-messages.ts';

export interface WorkerLifecycle {
  /** What the supervisor tells; from then on the slot's folder is this worker's alone. */
  receiveBoot(): Promise<WorkerBoot>;
  /** `drain` finishes the work in hand and then the process ends. It is called at most once. */
  onDrain(drain: () => Promise<void>): void;
  /** `catchUp` resolves when this worker has read every change committed before the call; it may reject. */
  onCatchUp(catchUp: () => Promise<void>): void;
  /** Resolves when all other workers of the node have done so, as far as they can tell. */
  catchUpPeers(): Promise<void>;
  /** Tells the supervisor that connections are taken from now on; those that come go to `accept`. */
  reportReady(accept: (connection: Socket) => void): void;
  /** Tells the supervisor why this worker cannot start, and ends it. */
  reportFailure(error: unknown): void;
}

/** Ties this process to its supervisor: it boots, drains and ends with it. Call it first in a worker's main file. */
export function installWorkerLifecycle(): WorkerLifecycle {
  const boot = Promise.withResolvers<WorkerBoot>();
  // Nothing is in hand before a drain is registered, so until then ending is draining.
  let finishWork = async () => {};
  let isDraining = false;
  let accept: (connection: Socket) => void = () => {};
  let catchUp = async () => {};
  const peers = createQuestions((id) => send({ type: 'catch-up-peers', id }));
  const drain = async () => {
    if (isDraining) return;
    isDraining = true;
    await finishWork();
    process.exit(0);
  };

  process.on('message', (message: MessageToWorker, handle: unknown) => {
    if (message.type === 'start') boot.resolve(message.boot);
    if (message.type === 'drain') drain();
    if (message.type === 'peers-caught-up') peers.answer(message.id);
    if (message.type === 'catch-up') {
      const answer = () => send({ type: 'caught-up', id: message.id });
      catchUp().then(answer, answer);
    }
    if (message.type === 'connection') receiveConnection(handle, isDraining ? null : accept);
  });
  process.once('disconnect', () => process.exit(1));
  // The terminal and npm signal the whole process group, so these come beside the supervisor's own message.
  for (const signal of stopSignals) process.on(signal, drain);

  return {
    async receiveBoot() {
      send({ type: 'waiting' });
      const received = await boot.promise;
      await lockSlot(received.slotDir);
      return received;
    },
    onDrain(callback) {
      finishWork = callback;
    },
    onCatchUp(callback) {
      catchUp = callback;
    },
    catchUpPeers: peers.ask,
    reportReady(callback) {
      accept = callback;
      send({ type: 'ready' });
    },
    reportFailure,
  };
}

/** Without `accept` it is refused. */
function receiveConnection(handle: unknown, accept: ((connection: Socket) => void) | null): void {
  // Told before a byte is read: what is not taken goes to another worker untouched.
  send({ type: 'connection', isTaken: accept !== null });
  if (!(handle instanceof Socket)) return;
  if (accept) accept(handle);
  else handle.destroy();
}

function reportFailure(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  send({ type: 'failed', message }, () => process.exit(1));
}

function send(message: MessageFromWorker, onSent = () => {}): void {
  process.send?.(message, onSent);
}
