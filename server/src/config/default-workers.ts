import type { MachineLimits } from '#platform/machine-limits.ts';
import { countShippers } from './worker-connections.ts';

/** Resident memory per process kind ("What a node needs" in docs/OPERATING.md); a worker includes room for bodies. */
const mebibytes = { worker: 512, shipper: 270, supervisor: 120 };
const mebibyte = 2 ** 20;
const workersMax = 256;

/**
 * Returns the number of workers for the CPU and memory limits: one per whole CPU, as far as memory suffices, at least
 * 1.
 */
export function defaultWorkers({ cpus, memoryBytes }: MachineLimits): number {
  let workers = Math.min(Math.max(1, Math.floor(cpus)), workersMax);
  while (workers > 1 && bytesOf(workers) > memoryBytes) workers--;
  return workers;
}

function bytesOf(workers: number): number {
  const { worker, shipper, supervisor } = mebibytes;
  return (supervisor + shipper * countShippers(workers) + worker * workers) * mebibyte;
}
