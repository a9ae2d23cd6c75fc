import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Watches one worker process from outside. */
export interface EventLoopProbe {
  /** The longest wait for an answer since it was asked last: about as long as the event loop was held. */
  readLongestMs(): Promise<number>;
  stop(): Promise<void>;
}

export async function startEventLoopProbe(origin: string): Promise<EventLoopProbe> {
  const thread = new Worker(new URL('./ping-thread.ts', import.meta.url), {
    workerData: `${origin}/healthz`,
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

const msPerTick = 10;

/** What a process has used of the processor, its own time and the system's for it. Linux only. */
export function readCpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Behind the name of the process, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * msPerTick;
}

export function readMemoryBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
