import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import { workerEnvironment } from '#config/worker-environment.ts';
import { keepRunning, type RunningProcess } from '#platform/keep-running.ts';
import type { Logger } from '#platform/logger.ts';
import { whenExited } from '#platform/wait.ts';
import type { Metrics } from '#telemetry/metrics/catalogue.ts';
import {
  createQuestions,
  type MessageFromShipper,
  type MessageToShipper,
  type Shipped,
  type ShipperBoot,
} from './messages.ts';
import type { NodeMetrics } from './node-metrics.ts';
import { shipKillMs, shipMs } from './stop-signals.ts';

interface Options {
  file: string;
  boots: ShipperBoot[];
  metrics: NodeMetrics;
  onShipped: (shipped: Shipped) => void;
  forced: AbortSignal;
  log: Logger;
}

export interface Shippers {
  /** Returns the monotonic time at which the slowest shipper last shipped a batch or had nothing left to ship. */
  shippedAtMs(): number;
  stop(): Promise<void>;
}

/**
 * Initial heap of 128 MB. The garbage of each batch would cause full collections of a small heap every second, which
 * took half of the shipper's CPU time.
 */
const startHeap = '--initial-heap-size=128';

/** Replaces shippers that exit. */
export function startShippers({ file, boots, metrics, onShipped, forced, log }: Options): Shippers {
  const shippedAtMs = boots.map(() => performance.now());
  const stops = boots.map((boot, index) => {
    const onMessage = (message: MessageFromShipper) => {
      if (message.type === 'shipped' || message.type === 'up-to-date') shippedAtMs[index] = performance.now();
      if (message.type === 'shipped') onShipped(message.shipped);
    };
    const start = () => {
      const shipper = forkShipper(file, boot, onMessage, forced);
      metrics.add('shipper', shipper);
      return shipper;
    };
    return keepRunning(start(), { name: `shipper ${index}`, launch: async () => start(), log });
  });
  return {
    shippedAtMs: () => Math.min(...shippedAtMs),
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}

function forkShipper(
  file: string,
  boot: ShipperBoot,
  onMessage: (message: MessageFromShipper) => void,
  forced: AbortSignal,
): RunningProcess & { readMetrics(): Promise<Metrics | undefined> } {
  const child = fork(file, { execArgv: [startHeap], env: workerEnvironment() });
  if (child.pid !== undefined) lowerPriority(child.pid);
  let isStopping = false;
  const drain = () => send(child, { type: 'drain', deadlineMs: shipMs });
  const metrics = createQuestions<Metrics>((id) => send(child, { type: 'read-metrics', id }));
  child.on('message', (message: MessageFromShipper) => {
    onMessage(message);
    if (message.type === 'metrics') metrics.answer(message.id, message.metrics);
    if (message.type === 'waiting') {
      send(child, { type: 'start', boot });
      if (isStopping) drain();
    }
  });
  const exited = whenExited(child);
  child.once('close', metrics.close);
  return {
    exited,
    readMetrics: metrics.ask,
    async stop() {
      isStopping = true;
      const kill = () => child.kill('SIGKILL');
      const timer = setTimeout(kill, shipKillMs);
      forced.addEventListener('abort', kill, { once: true });
      if (forced.aborted) kill();
      else drain();
      await exited;
      clearTimeout(timer);
    },
  };
}

function send(child: ChildProcess, message: MessageToShipper): void {
  // A disconnected child process is exiting. The exit is awaited elsewhere.
  if (child.connected) child.send(message, () => {});
}

const niceness = 5;

/**
 * Requests are more urgent than batches, since no caller waits for a batch and each batch uses a CPU for tens of
 * milliseconds.
 */
function lowerPriority(pid: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // The process has exited, or the system does not allow the change and the process runs with normal priority.
  }
}
