import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { Logger } from '#platform/logger.ts';

/** Counts tokens exactly, with the vocabulary o200k, when an estimate would reject a request. */
export interface TokenCounter {
  /** Returns `null` if counting would take too long (a long text or many concurrent counts) or the thread failed. */
  count(texts: readonly string[]): Promise<number | null>;
  close(): Promise<void>;
}

/** Maximum length of a counted text. The estimate is accurate enough for users with limits this high. */
const lettersMax = 256 * 1024;
const jobsMax = 16;
const patienceMs = 1_000;
/** The vocabulary takes 70 MB of memory, which is freed after this idle time. */
const idleMs = 60_000;

const answer = z.object({ id: z.number(), tokens: z.number() });

/** The thread starts at the first count. */
export function createTokenCounter(log: Logger): TokenCounter {
  let thread: Worker | null = null;
  let lastId = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  const waiting = new Map<number, (tokens: number | null) => void>();
  const stop = async () => {
    const stopped = thread;
    thread = null;
    for (const resolve of waiting.values()) resolve(null);
    await stopped?.terminate();
  };
  const start = (): Worker => {
    const started = new Worker(new URL('./counting-thread.ts', import.meta.url));
    started.on('message', (message: unknown) => {
      const { id, tokens } = answer.parse(message);
      waiting.get(id)?.(tokens);
    });
    started.on('error', (error) => {
      log.error({ error }, 'tokens cannot be counted, so limits use estimates');
      if (thread === started) void stop();
    });
    started.unref();
    return started;
  };
  return {
    async count(texts) {
      const letters = texts.reduce((sum, text) => sum + text.length, 0);
      if (letters > lettersMax || waiting.size >= jobsMax) return null;
      clearTimeout(idleTimer);
      idleTimer = setTimeout(() => void stop(), idleMs).unref();
      thread ??= start();
      const id = ++lastId;
      const { promise, resolve } = Promise.withResolvers<number | null>();
      const timer = setTimeout(() => resolve(null), patienceMs);
      waiting.set(id, resolve);
      thread.postMessage({ id, texts });
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(id);
      });
    },
    async close() {
      clearTimeout(idleTimer);
      await stop();
    },
  };
}
