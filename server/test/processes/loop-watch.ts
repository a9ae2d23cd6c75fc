import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';

export interface LoopFigures {
  /** Longest CPU time between two turns in milliseconds, without the time of other processes. */
  readonly heldMs: number;
  /** Longest CPU time between two turns with a full garbage collection, in milliseconds. */
  readonly collectingMs: number;
  /** Longest wall time between two turns in milliseconds, regardless of the cause. */
  readonly stallMs: number;
  readonly durationMs: number;
}

interface Span {
  readonly startMs: number;
  readonly endMs: number;
  readonly cpuMs: number;
}

export async function watchLoop(work: () => Promise<unknown>): Promise<LoopFigures> {
  const collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => {
    collections.push(...list.getEntries().filter(isOfWholeHeap));
  });
  observer.observe({ entryTypes: ['gc'] });
  const spans: Span[] = [];
  const startedMs = performance.now();
  let isDone = false;
  let startMs = startedMs;
  let startCpuMs = readCpuMs();
  const look = () => {
    const [endMs, endCpuMs] = [performance.now(), readCpuMs()];
    spans.push({ startMs, endMs, cpuMs: endCpuMs - startCpuMs });
    [startMs, startCpuMs] = [endMs, endCpuMs];
    // A timer, unlike an immediate, allows the loop to be idle between two samples.
    if (!isDone) setTimeout(look, 1);
  };
  look();
  try {
    await work();
  } finally {
    isDone = true;
  }
  const durationMs = performance.now() - startedMs;
  // The engine reports a garbage collection in a later turn of the loop.
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  collections.push(...observer.takeRecords().filter(isOfWholeHeap));
  observer.disconnect();
  const isCollecting = ({ startMs: from, endMs: to }: Span) =>
    collections.some(({ startTime, duration }) => startTime < to && startTime + duration > from);
  const { true: collecting = [], false: working = [] } = Object.groupBy(spans, (span) =>
    isCollecting(span) ? 'true' : 'false',
  );
  return {
    heldMs: longest(working.map(({ cpuMs }) => cpuMs)),
    collectingMs: longest(collecting.map(({ cpuMs }) => cpuMs)),
    stallMs: longest(spans.map((span) => span.endMs - span.startMs)),
    durationMs,
  };
}

function isOfWholeHeap({ detail }: PerformanceEntry & { detail?: { kind?: number } }): boolean {
  return detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}

function longest(durationsMs: readonly number[]): number {
  return durationsMs.reduce((one, other) => Math.max(one, other), 0);
}

function readCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
