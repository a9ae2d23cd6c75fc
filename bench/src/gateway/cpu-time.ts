import { setTimeout as delay } from 'node:timers/promises';
import { processTree } from '../programs/program.ts';
import type { Target } from './subject.ts';

/** CPU microseconds by part of a target. */
export type CpuParts = Map<string, number>;

/** Returns the total CPU usage of each part of a target; `null` if the target has no program. */
export function readCpuParts({ program, databasePid, partOf }: Target): CpuParts | null {
  if (!program) return null;
  const roots = databasePid === undefined ? [program.pid] : [program.pid, databasePid];
  const tree = roots.flatMap(processTree);
  const parts: CpuParts = new Map();
  for (const entry of tree) {
    const part = partOf ? partOf(entry, tree) : 'all';
    if (part !== null) parts.set(part, (parts.get(part) ?? 0) + entry.cpuMicros);
  }
  return parts;
}

export function cpuPerRequest(before: CpuParts, after: CpuParts, requests: number): CpuParts {
  const parts = [...after].map(
    ([part, micros]) => [part, (micros - (before.get(part) ?? 0)) / requests] as const,
  );
  return new Map(parts);
}

// Watch time in milliseconds. Exceeds the shipping interval of one second, so that the pause between two batches does
// not count as idle.
const watchMs = 1_200;
const restingMicros = 60_000;
const givesUpAfterMs = 180_000;

/**
 * Waits until the processes of a target are idle, and returns the duration in milliseconds. Rejects if they never
 * are.
 */
export async function awaitDeferredWork(target: Target): Promise<number> {
  const startedAtMs = performance.now();
  for (let before = totalCpu(target); ; ) {
    const workedMs = performance.now() - startedAtMs;
    if (workedMs > givesUpAfterMs)
      throw new Error('the target is still busy several minutes after the last response');
    await delay(watchMs);
    const after = totalCpu(target);
    if (after - before < restingMicros) return workedMs;
    before = after;
  }
}

function totalCpu(target: Target): number {
  return [...(readCpuParts(target)?.values() ?? [])].reduce((sum, micros) => sum + micros, 0);
}

/** Shares of a core by part of a target. 0.01 is 1%. */
export type IdleCpu = ReadonlyMap<string, number>;

export async function measureIdleCpu(
  targets: ReadonlyMap<string, Target>,
  seconds: number,
): Promise<Map<string, IdleCpu>> {
  const read = () => [...targets].map(([name, target]) => [name, readCpuParts(target)] as const);
  const before = new Map(read());
  await delay(seconds * 1000);
  return new Map(
    read().map(([name, after]) => {
      const earlier = before.get(name);
      const shares = [...(after ?? [])].map(
        ([part, micros]) => [part, (micros - (earlier?.get(part) ?? 0)) / (seconds * 1e6)] as const,
      );
      return [name, new Map(shares)];
    }),
  );
}

export function sumIdleCpu(idle: IdleCpu | undefined): number {
  return [...(idle?.values() ?? [])].reduce((sum, share) => sum + share, 0);
}
