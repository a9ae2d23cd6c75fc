import { once } from 'node:events';
import { startProgram } from '../programs/program.ts';

/** What the load generator is to do. */
export interface LoadOrder {
  url: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  durationMs: number;
  /** null: each connection asks again as soon as it has its answer. */
  ratePerSecond: number | null;
}

export interface Quantiles {
  p50Ms: number;
  p99Ms: number;
}

export interface LoadResult {
  requests: number;
  elapsedMs: number;
  /** Until the answer was whole. */
  whole: Quantiles;
  /** Until the first byte of its body. */
  firstByte: Quantiles;
  /** What the load generator itself used. */
  generatorCpuMicros: number;
}

export type LoadReply = { result: LoadResult } | { failure: string };

const graceMs = 30_000;

/** Starts the load generator in a process of its own; one for all subjects, so that it treats them alike. */
export function startLoadGenerator(
  resources: AsyncDisposableStack,
): (order: LoadOrder) => Promise<LoadResult> {
  const script = new URL('../load-generator.ts', import.meta.url);
  const { child, expect } = startProgram(resources, { name: 'load generator', script, hasChannel: true });
  return async (order) => {
    child.send(order);
    const [reply]: LoadReply[] = await expect(once(child, 'message'), order.durationMs + graceMs);
    if (!reply || 'failure' in reply) throw new Error(reply?.failure);
    return reply.result;
  };
}
