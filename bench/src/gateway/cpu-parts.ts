import { processTree } from '../programs/process-table.ts';
import type { Target } from './subject.ts';

/** CPU microseconds by part of a target. */
export type CpuParts = Map<string, number>;

/** Returns the CPU usage of each part of a target so far; null if the target is not one of our processes. */
export function readCpuParts({ program, partOf }: Target): CpuParts | null {
  if (!program) return null;
  const tree = processTree(program.pid);
  const parts: CpuParts = new Map();
  for (const entry of tree) {
    const part = partOf ? partOf(entry, tree) : 'all';
    if (part !== null) parts.set(part, (parts.get(part) ?? 0) + entry.cpuMicros);
  }
  return parts;
}

/** Returns the CPU usage of each part between two readings, per request. */
export function cpuPerRequest(before: CpuParts, after: CpuParts, requests: number): CpuParts {
  const parts = [...after].map(
    ([part, micros]) => [part, (micros - (before.get(part) ?? 0)) / requests] as const,
  );
  return new Map(parts);
}
