import { awaitDeferredWork, type CpuParts, cpuPerRequest, readCpuParts } from './cpu-time.ts';
import type { LoadOrder, LoadResult } from './load.ts';
import type { Target } from './subject.ts';

export type Slice = LoadResult & {
  cpuPerRequest: CpuParts | null;
  /** Milliseconds for which the subject's processes continued working after the last response. */
  deferredMs: number;
  /** Duration of the CPU measurement in milliseconds. It is used to subtract the idle usage. */
  countedMs: number;
};

export type Slices = Map<string, Slice[]>;

interface Turn {
  applyLoad(order: LoadOrder): Promise<LoadResult>;
  order: Omit<LoadOrder, 'url' | 'headers'>;
}

type Rounds = Turn & { targets: Map<string, Target>; rounds: number };

/** Measures the subjects in turn, so that other activity on the machine affects all of them equally. */
export async function measureRounds({ targets, rounds, ...turn }: Rounds): Promise<Slices> {
  const slices: Slices = new Map([...targets.keys()].map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, target] of targets) {
      const slice = await measureSlice(target, turn).catch((cause: Error) => {
        throw new Error(`${name}: ${cause.message}\n${target.program?.lastOutput() ?? ''}`);
      });
      slices.get(name)?.push(slice);
    }
  }
  return slices;
}

async function measureSlice(target: Target, { applyLoad, order }: Turn): Promise<Slice> {
  const startedAtMs = performance.now();
  const before = readCpuParts(target);
  const result = await applyLoad({ ...order, url: target.url, headers: target.headers });
  // Deferred work counts toward the requests that caused it.
  const deferredMs = target.defersWork ? await awaitDeferredWork(target) : 0;
  const after = readCpuParts(target);
  const cpu = before && after ? cpuPerRequest(before, after, result.requests) : null;
  return { ...result, cpuPerRequest: cpu, deferredMs, countedMs: performance.now() - startedAtMs };
}
