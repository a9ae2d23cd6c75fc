import { setTimeout as delay } from 'node:timers/promises';
import { readCpuParts } from './cpu-parts.ts';
import type { Target } from './subject.ts';

/** Shares of a core by part of a target: 0.01 is 1%. */
export type IdleCpu = ReadonlyMap<string, number>;

/** Measures the idle CPU usage of all targets at the same time. */
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
