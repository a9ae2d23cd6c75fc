import { setTimeout as delay } from 'node:timers/promises';
import { readCpuParts } from './cpu-parts.ts';
import type { Target } from './subject.ts';

// Longer than the one second within which a journal is shipped, so that a pause between two batches does not count as
// idle.
const watchMs = 1_200;
const restingMicros = 60_000;
const givesUpAfterMs = 180_000;

/** Waits until the processes of a target are idle and returns how long that took. Rejects if they never are. */
export async function awaitDeferredWork(target: Target): Promise<number> {
  const startedAtMs = performance.now();
  for (let before = totalCpu(target); ; ) {
    const workedMs = performance.now() - startedAtMs;
    if (workedMs > givesUpAfterMs) throw new Error('still at work minutes after the last answer');
    await delay(watchMs);
    const after = totalCpu(target);
    if (after - before < restingMicros) return workedMs;
    before = after;
  }
}

function totalCpu(target: Target): number {
  return [...(readCpuParts(target)?.values() ?? [])].reduce((sum, micros) => sum + micros, 0);
}
