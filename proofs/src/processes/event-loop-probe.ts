import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

export interface EventLoopProbe {
  /**
   * Returns the longest response time in milliseconds since the last call, with a resolution of 10 ms. Only the
   * worker's CPU time counts, so the time is approximately how long the event loop was blocked.
   */
  readLongestMs(): Promise<number>;
  stop(): Promise<void>;
}

export async function startEventLoopProbe(origin: string, pid: number): Promise<EventLoopProbe> {
  const thread = new Worker(new URL('./ping-thread.ts', import.meta.url), {
    workerData: { url: `${origin}/healthz`, pid },
  });
  const failed = once(thread, 'error').then(([error]) => Promise.reject(error));
  // Errors surface where the thread is awaited.
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
