import { setTimeout as pause } from 'node:timers/promises';
import { sumCounters } from '#telemetry/metrics/aggregate.ts';
import type { Metrics } from '#telemetry/metrics/catalogue.ts';
import { type ProcessKind, watchProcess } from '#telemetry/metrics/process-metrics.ts';

interface Measured {
  /** Resolves with `undefined` if the process has exited. */
  readMetrics(): Promise<Metrics | undefined>;
  readonly exited: Promise<unknown>;
}

/** Metrics of all processes of the node, including counters of exited processes. */
export interface NodeMetrics {
  add(kind: ProcessKind, process: Measured): void;
  /** Returns one entry per process, one for the supervisor, and one for all exited processes. */
  read(): Promise<readonly Metrics[]>;
}

/** Maximum wait for the metrics of a process. After that, the last known counters are used. */
const answerMs = 2_000;

export function createNodeMetrics(countShed: () => number): NodeMetrics {
  const own = watchProcess('supervisor');
  const living = new Map<Measured, Metrics>();
  const exits = new Map<ProcessKind, number>();
  // Counters of exited processes are kept, so that sums never decrease.
  let ended: Promise<Metrics> = Promise.resolve({});
  const readOne = async (process: Measured): Promise<Metrics> => {
    const timeout = new AbortController();
    const silence = pause(answerMs, undefined, { signal: timeout.signal }).catch(() => undefined);
    const answer = await Promise.race([process.readMetrics(), silence]);
    timeout.abort();
    if (answer && living.has(process)) living.set(process, answer);
    return answer ?? sumCounters([living.get(process) ?? {}]);
  };
  return {
    add(kind, process) {
      living.set(process, {});
      void process.exited.then(() => {
        const last = living.get(process) ?? {};
        living.delete(process);
        exits.set(kind, (exits.get(kind) ?? 0) + 1);
        if (Object.keys(last).length > 0) ended = ended.then((sum) => sumCounters([sum, last]));
      });
    },
    async read() {
      const answers = await Promise.all([...living.keys()].map(readOne));
      const counted = [...exits].map(([kind, value]) => ({ labels: { process: kind }, value }));
      const shed = [{ labels: {}, value: countShed() }];
      const supervisor = {
        ...own.read(),
        sluice_process_exits_total: counted,
        sluice_shed_requests_total: shed,
      };
      return [...answers, await ended, supervisor];
    },
  };
}
