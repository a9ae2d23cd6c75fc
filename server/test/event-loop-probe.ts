import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Watches one worker process from outside. */
export interface EventLoopProbe {
  /**
   * The longest wait for an answer since it was asked last, as far as the worker used the processor meanwhile, to 10 ms:
   * about as long as the event loop was held.
   */
  readLongestMs(): Promise<number>;
  stop(): Promise<void>;
}

export async function startEventLoopProbe(origin: string, pid: number): Promise<EventLoopProbe> {
  const thread = new Worker(new URL('./ping-thread.ts', import.meta.url), {
    workerData: { url: `${origin}/healthz`, pid },
  });
  const failed = once(thread, 'error').then(([error]) => Promise.reject(error));
  // It counts where somebody waits for the thread.
  failed.catch(() => undefined);
  return {
    async readLongestMs() {
      const answered = once(thread, 'message');
      thread.postMessage('read');
      const [longestMs] = await Promise.race([answered, failed]);
      return Number(longestMs);
    },
    async stop() {
      await thread.terminate();
    },
  };
}

export function readMemoryBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
