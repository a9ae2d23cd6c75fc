import { Socket } from 'node:net';
import { lockSlot } from './slot.ts';
import { stopSignals } from './stop-signals.ts';
import type { MessageFromWorker, MessageToWorker, WorkerBoot } from './worker-messages.ts';

export type WorkerLifecycle = {
  /** What the supervisor tells; from then on the slot's folder is this worker's alone. */
  receiveBoot(): Promise<WorkerBoot>;
  /** `drain` finishes the work in hand and then the process ends. It is called at most once. */
  onDrain(drain: () => Promise<void>): void;
  /** Tells the supervisor that connections are taken from now on; those that come go to `accept`. */
  reportReady(accept: (connection: Socket) => void): void;
  /** Tells the supervisor why this worker cannot start, and ends it. */
  reportFailure(error: unknown): void;
};

/** Ties this process to its supervisor: it boots, drains and ends with it. Call it first in a worker's main file. */
export function installWorkerLifecycle(): WorkerLifecycle {
  const boot = Promise.withResolvers<WorkerBoot>();
  // Nothing is in hand before a drain is registered, so until then ending is draining.
  let finishWork = async () => {};
  let isDraining = false;
  let accept: (connection: Socket) => void = () => {};
  const drain = async () => {
    if (isDraining) return;
    isDraining = true;
    await finishWork();
    process.exit(0);
  };

  process.on('message', (message: MessageToWorker, handle: unknown) => {
    if (message.type === 'start') boot.resolve(message.boot);
    if (message.type === 'drain') drain();
    if (message.type === 'connection') {
      // Told before a byte is read: what is not taken goes to another worker untouched.
      send({ type: 'connection', isTaken: !isDraining });
      if (!(handle instanceof Socket)) return;
      if (isDraining) handle.destroy();
      else accept(handle);
    }
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
    reportReady(callback) {
      accept = callback;
      send({ type: 'ready' });
    },
    reportFailure(error) {
      const message = error instanceof Error ? error.message : String(error);
      send({ type: 'failed', message }, () => process.exit(1));
    },
  };
}

function send(message: MessageFromWorker, onSent = () => {}): void {
  process.send?.(message, onSent);
}
