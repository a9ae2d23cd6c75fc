import { listPools } from '#db/open-pools.ts';
import type { Metrics } from './catalogue.ts';
import { Histogram } from './histogram.ts';

export type ProcessKind = 'worker' | 'shipper' | 'supervisor';

/** More frequent samples have the same distribution, but cost an idle process up to 1% of a core. */
const sampleEveryMs = 200;

export interface ProcessMetrics {
  read(): Metrics;
  close(): void;
}

export function watchProcess(kind: ProcessKind): ProcessMetrics {
  const delay = new Histogram();
  const timer = watchDelay(delay);
  const startedSeconds = Math.round(Date.now() / 1000 - process.uptime());
  return {
    read() {
      const labels = { process: kind };
      const { user, system } = process.cpuUsage();
      const { rss, heapUsed } = process.memoryUsage();
      return {
        sluice_event_loop_delay_seconds: delay.toValues('sluice_event_loop_delay_seconds', labels),
        sluice_process_cpu_seconds_total: [
          { labels: { ...labels, mode: 'user' }, value: user / 1e6 },
          { labels: { ...labels, mode: 'system' }, value: system / 1e6 },
        ],
        sluice_process_resident_memory_bytes: [{ labels, value: rss }],
        sluice_process_heap_used_bytes: [{ labels, value: heapUsed }],
        sluice_process_start_time_seconds: [{ labels, value: startedSeconds }],
      };
    },
    close: () => clearInterval(timer),
  };
}

/**
 * Counts event loop delays in buckets that only increase. Several scrapers thus read the same values, unlike with
 * Node's own monitor.
 */
function watchDelay(delay: Histogram): NodeJS.Timeout {
  let lastMs = performance.now();
  return setInterval(() => {
    const nowMs = performance.now();
    delay.observe(Math.max(0, nowMs - lastMs - sampleEveryMs));
    lastMs = nowMs;
  }, sampleEveryMs).unref();
}

export function readPools(): Metrics {
  return {
    sluice_database_pool_connections: listPools().flatMap(({ name, busy, idle, waiting }) => {
      const ofState = (state: string, value: number) => ({ labels: { pool: name, state }, value });
      return [ofState('busy', busy), ofState('idle', idle), ofState('waiting', waiting)];
    }),
  };
}
