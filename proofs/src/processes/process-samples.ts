import { readdirSync } from 'node:fs';
import type { SluiceProcess } from '#test/processes/sluice-process.ts';
import { measureCollectedHeap } from './collected-heap.ts';
import { readMemoryBytes } from './event-loop-probe.ts';

export interface ProcessTaken {
  readonly residentBytes: number;
  /** Heap size after a full garbage collection; null in samples without a collection. */
  readonly heapBytes: number | null;
  readonly handles: number;
}

export interface ProcessSample {
  readonly atMs: number;
  readonly worker: ProcessTaken;
  readonly shipper: ProcessTaken;
  readonly supervisor: ProcessTaken;
  /** Delay of the worker's event loop since the previous sample, in milliseconds. */
  readonly loopDelayP50Ms: number;
  readonly loopDelayP99Ms: number;
}

const kinds = [
  ['worker', 'workers'],
  ['shipper', 'shippers'],
  ['supervisor', 'supervisor'],
] as const;

/** Samples a node with one worker. With `withCollection`, each process collects garbage before its heap is measured. */
export async function sampleProcesses(
  sluice: SluiceProcess,
  metricsToken: string,
  withCollection: boolean,
): Promise<ProcessSample> {
  const metrics = await fetchMetrics(sluice, metricsToken);
  const taken: [string, ProcessTaken][] = [];
  for (const [kind, family] of kinds) {
    const [pid = 0] = sluice.pids(family);
    const handles = readdirSync(`/proc/${pid}/fd`).length;
    const residentBytes = readMemoryBytes(pid);
    taken.push([
      kind,
      { residentBytes, handles, heapBytes: withCollection ? await measureCollectedHeap(pid) : null },
    ]);
  }
  const delayMs = readDelays(sluice, metrics);
  return {
    atMs: performance.now(),
    // safe because `taken` has an entry for each kind
    ...(Object.fromEntries(taken) as Pick<ProcessSample, 'worker' | 'shipper' | 'supervisor'>),
    loopDelayP50Ms: delayMs(0.5),
    loopDelayP99Ms: delayMs(0.99),
  };
}

const formerBuckets = new WeakMap<SluiceProcess, readonly Bucket[]>();

interface Bucket {
  readonly endMs: number;
  readonly count: number;
}

/** Returns a function that returns the upper bucket bound for a quantile of the delays since the previous sample. */
function readDelays(sluice: SluiceProcess, metrics: string): (quantile: number) => number {
  const buckets = [
    ...metrics.matchAll(/^sluice_event_loop_delay_seconds_bucket\{(.*process="worker".*)\} (\d+)$/gm),
  ].map(([, labels = '', count]) => ({
    endMs: 1000 * Number(/le="([^"]*)"/.exec(labels)?.[1]?.replace('+Inf', 'Infinity')),
    count: Number(count),
  }));
  const former = formerBuckets.get(sluice) ?? [];
  formerBuckets.set(sluice, buckets);
  const grown = buckets.map(({ endMs, count }, index) => ({
    endMs,
    count: count - (former[index]?.count ?? 0),
  }));
  const total = grown.at(-1)?.count ?? 0;
  return (quantile) => grown.find(({ count }) => count >= quantile * total)?.endMs ?? 0;
}

/** Returns the sum of a metric over its labels. */
export async function readMetric(sluice: SluiceProcess, token: string, name: string): Promise<number> {
  return sumOf(await fetchMetrics(sluice, token), name);
}

async function fetchMetrics({ origin }: SluiceProcess, token: string): Promise<string> {
  const answer = await fetch(`${origin}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`/metrics returned ${answer.status}`);
  return answer.text();
}

const sumOf = (metrics: string, name: string, ...labels: string[]) =>
  valuesOf(metrics, name, ...labels).reduce((sum, value) => sum + value, 0);

function valuesOf(metrics: string, name: string, ...labels: string[]): number[] {
  return metrics.split('\n').flatMap((line) => {
    const isIt = line.startsWith(`${name}{`) || line.startsWith(`${name} `);
    return isIt && labels.every((label) => line.includes(label)) ? [Number(line.split(' ').at(-1))] : [];
  });
}
