import { setTimeout as delay } from 'node:timers/promises';
import { type CpuParts, cpuPerRequest, readCpuParts } from './cpu-parts.ts';
import type { LoadOrder, LoadResult } from './load.ts';
import type { Target } from './subject.ts';

/** A subject's turn in one round. */
export type Slice = LoadResult & { cpuPerRequest: CpuParts | null };

/** The slices of each subject by its name. */
export type Slices = Map<string, Slice[]>;

type Rounds = {
  targets: Map<string, Target>;
  rounds: number;
  applyLoad(order: LoadOrder): Promise<LoadResult>;
  order: Omit<LoadOrder, 'url' | 'headers'>;
};

/** Measures the subjects in turns, so that what else happens on the machine hits all alike. */
export async function measureRounds({ targets, rounds, applyLoad, order }: Rounds): Promise<Slices> {
  const slices: Slices = new Map([...targets.keys()].map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, target] of targets) {
      const before = readCpuParts(target);
      const { url, headers } = target;
      const result = await applyLoad({ ...order, url, headers }).catch((cause: Error) => {
        throw new Error(name, { cause });
      });
      // Deferred work belongs to the requests that caused it.
      await delay(target.settleMs ?? 0);
      const after = readCpuParts(target);
      const cpu = before && after ? cpuPerRequest(before, after, result.requests) : null;
      slices.get(name)?.push({ ...result, cpuPerRequest: cpu });
    }
  }
  return slices;
}
