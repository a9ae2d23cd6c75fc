import { createHash, timingSafeEqual } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { ConsoleError } from '#errors/console-error.ts';
import type { Download, RequestContext } from '#http/console-route.ts';
import { formatMetrics } from '#telemetry/metrics/aggregate.ts';
import type { Metrics } from '#telemetry/metrics/catalogue.ts';
import { zeroCounters } from '#telemetry/metrics/known-series.ts';

export interface MetricsDeps {
  /** Bearer token for the metrics endpoint; `null` disables the endpoint. */
  readonly metricsToken: string | null;
  readonly readNodeMetrics: () => Promise<readonly Metrics[]>;
  readonly dataDir: string;
  readonly readInstallationMetrics: () => Promise<Metrics>;
}

export async function getMetrics(
  { bearerToken }: RequestContext,
  { dataDir, metricsToken, readNodeMetrics, readInstallationMetrics }: MetricsDeps,
): Promise<Download> {
  if (metricsToken === null) {
    throw new ConsoleError(401, 'Metrics are disabled: SLUICE_METRICS_TOKEN is not set on this server.');
  }
  if (bearerToken === null || !isSame(bearerToken, metricsToken)) {
    throw new ConsoleError(401, 'Send the token of SLUICE_METRICS_TOKEN as Authorization: Bearer.');
  }
  const [processes, installation, disk] = await Promise.all([
    readNodeMetrics(),
    readInstallationMetrics(),
    readDiskMetrics(dataDir),
  ]);
  const text = await formatMetrics([zeroCounters(), ...processes, installation, disk]);
  return { fileName: 'metrics.txt', mediaType: 'text/plain; version=0.0.4', text: toStream(text) };
}

async function readDiskMetrics(dataDir: string): Promise<Metrics> {
  const stats = await statfs(dataDir).catch(() => null);
  if (stats === null) return {};
  return { sluice_data_folder_free_bytes: [{ labels: {}, value: stats.bavail * stats.bsize }] };
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

async function* toStream(text: string): AsyncGenerator<string> {
  yield text;
}
