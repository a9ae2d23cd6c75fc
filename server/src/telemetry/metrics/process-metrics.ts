import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metrics } from './catalogue.ts';

export type ProcessKind = 'worker' | 'shipper' | 'supervisor';

const resolutionMs = 20;
const nanoPerSecond = 1e9;
const quantiles = [0.5, 0.99, 1];

export interface ProcessMetrics {
  /** What this process takes; the delay of its event loop is that since the last reading. */
  read(): Metrics;
  close(): void;
}

export function watchProcess(kind: ProcessKind): ProcessMetrics {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  const startedSeconds = Math.round(Date.now() / 1000 - process.uptime());
  return {
    read() {
      const labels = { process: kind };
      const { user, system } = process.cpuUsage();
      const { rss, heapUsed } = process.memoryUsage();
      const delays = quantiles.map((quantile) => ({
        labels: { ...labels, quantile: String(quantile) },
        // The histogram counts the wait that was asked for, too.
        value: Math.max(0, delay.percentile(quantile * 100) / nanoPerSecond - resolutionMs / 1000),
      }));
      delay.reset();
      return {
        sluice_event_loop_delay_seconds: delays,
        sluice_process_cpu_seconds_total: [
          { labels: { ...labels, mode: 'user' }, value: user / 1e6 },
          { labels: { ...labels, mode: 'system' }, value: system / 1e6 },
        ],
        sluice_process_resident_memory_bytes: [{ labels, value: rss }],
        sluice_process_heap_used_bytes: [{ labels, value: heapUsed }],
        sluice_process_start_time_seconds: [{ labels, value: startedSeconds }],
      };
    },
    close: () => void delay.disable(),
  };
}
