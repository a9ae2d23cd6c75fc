import { median } from '../report/statistics.ts';
import type { Slice } from './rounds.ts';

export interface Figures {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** CPU microseconds per request; `null` if the subject's processes are unknown. */
  cpuParts: [name: string, micros: number][];
  cpuMicros: number | null;
  /** CPU per request by round, for ratios to other subjects within a round. */
  cpuByRound: number[];
  /** CPU per request by round, without PostgreSQL. */
  nodeCpuByRound: number[];
  /** CPU per request by round, without the idle usage of the processes. */
  activeCpuByRound: number[];
  deferredMs: number;
  generatorMicros: number;
}

export interface SummaryOptions {
  readonly isStreaming: boolean;
  /** Idle CPU usage of the subject as a share of a core. */
  readonly idleShare?: number;
}

/**
 * Returns medians, which a single disturbed slice does not change. The latency of streams is that of the first byte.
 */
export function summarizeSlices(slices: Slice[], { isStreaming, idleShare = 0 }: SummaryOptions): Figures {
  const middle = (read: (slice: Slice) => number) => median(slices.map(read));
  const parts = new Set(slices.flatMap(({ cpuPerRequest }) => [...(cpuPerRequest?.keys() ?? [])]));
  const total = ({ cpuPerRequest }: Slice) =>
    [...(cpuPerRequest?.values() ?? [])].reduce((sum, cpu) => sum + cpu, 0);
  const idle = ({ countedMs, requests }: Slice) => (idleShare * countedMs * 1000) / requests;
  const latency = (slice: Slice) => (isStreaming ? slice.firstByte : slice.whole);
  return {
    requestsPerSecond: middle(({ requests, elapsedMs }) => requests / (elapsedMs / 1000)),
    p50Ms: middle((slice) => latency(slice).p50Ms),
    p99Ms: middle((slice) => latency(slice).p99Ms),
    cpuParts: [...parts].map((part) => [part, middle(({ cpuPerRequest }) => cpuPerRequest?.get(part) ?? 0)]),
    cpuMicros: parts.size > 0 ? middle(total) : null,
    cpuByRound: parts.size > 0 ? slices.map(total) : [],
    nodeCpuByRound:
      parts.size > 0
        ? slices.map((slice) => total(slice) - (slice.cpuPerRequest?.get('postgresql') ?? 0))
        : [],
    activeCpuByRound: parts.size > 0 ? slices.map((slice) => total(slice) - idle(slice)) : [],
    deferredMs: middle(({ deferredMs }) => deferredMs),
    generatorMicros: middle(({ generatorCpuMicros, requests }) => generatorCpuMicros / requests),
  };
}
