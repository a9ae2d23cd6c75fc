import { once } from 'node:events';
import { startProgram } from '../programs/program.ts';

export interface LoadOrder {
  url: string;
  headers: Record<string, string>;
  body: string;
  connections: number;
  durationMs: number;
  /**
   * Requests per second. With `null`, each connection sends its next request as soon as the previous response is
   * complete.
   */
  ratePerSecond: number | null;
}

export interface Quantiles {
  p50Ms: number;
  p99Ms: number;
}

export interface LoadResult {
  requests: number;
  elapsedMs: number;
  whole: Quantiles;
  firstByte: Quantiles;
  generatorCpuMicros: number;
}

export type LoadReply = { result: LoadResult } | { failure: string };

const graceMs = 30_000;

/**
 * Starts the load generator in a separate process. All subjects share the generator, so that they are measured in the
 * same way.
 */
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
