import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const folder = tmpdir();

const preload = new URL('report-collected-heap.mjs', import.meta.url);
// The product is started without TMPDIR.
preload.searchParams.set('folder', folder);

export const collectedHeapEnv = {
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${preload.href}`,
};

const reportWithinMs = 10_000;

/** Returns the heap size of a Node process after a full garbage collection, in bytes. */
export async function measureCollectedHeap(pid: number): Promise<number> {
  const file = join(folder, `sluice-heap-${pid}`);
  process.kill(pid, 'SIGUSR2');
  for (const end = Date.now() + reportWithinMs; Date.now() < end; await pause(20)) {
    const report = await readFile(file, 'utf8').catch(() => null);
    if (report === null) continue;
    await rm(file);
    return Number(report);
  }
  throw new Error(`process ${pid} did not report its heap size`);
}
