import { lockSlot } from './slot.ts';
import type { MessageFromWorker, MessageToWorker, WorkerBoot } from './worker-messages.ts';

export type WorkerLifecycle = {
  /** What the supervisor tells; from then on the slot's folder is this worker's alone. */
  receiveBoot(): Promise<WorkerBoot>;
  /** `drain` finishes the work in hand and then the process ends. It is called at most once. */
  onDrain(drain: () => Promise<void>): void;
  reportReady(): void;
  /** Tells the supervisor why this worker cannot start, and ends it. */
  reportFailure(error: unknown): void;
};

/**
 * Ties this process to its supervisor: it boots and drains as told. Call it first in a worker's main file.
 * That a worker ends when its supervisor is gone is `node:cluster`'s own doing.
 */
export function installWorkerLifecycle(): WorkerLifecycle {
  const boot = Promise.withResolvers<WorkerBoot>();
  // Nothing is in hand before a drain is registered, so until then ending is draining.
  let finishWork = async () => {};
  let isDraining = false;
  const drain = async () => {
    if (isDraining) return;
    isDraining = true;
    await finishWork();
    process.exit(0);
  };

  process.on('message', (message: MessageToWorker) => {
    if (message.type === 'start') boot.resolve(message.boot);
    if (message.type === 'drain') drain();
  });
  // The terminal and npm signal the whole process group, so these come beside the supervisor's own message.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, drain);

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
    reportReady: () => send({ type: 'ready' }),
    reportFailure(error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
      const message = error instanceof Error ? error.message : String(error);
      send({ type: 'failed', message, code }, () => process.exit(1));
    },
  };
}

function send(message: MessageFromWorker, onSent = () => {}): void {
  process.send?.(message, onSent);
}
