import { createOutageSubject, type OutageFigures } from '#test/load/outage-rounds.ts';
import type { ProofResult } from './proof.ts';

const shortMs = 20_000;
/** Outage in milliseconds that exceeds the validity of cached credentials. */
const longMs = 40_000;

/** Stops the database under load twice: for less and for more than the time that the gateway works without it. */
export async function proveOutage(): Promise<ProofResult> {
  const subject = await createOutageSubject();
  try {
    const brief = await subject.runOutage(shortMs);
    const long = await subject.runOutage(longMs);
    return {
      title: 'a database outage loses no row and rejects no valid key',
      holds:
        isBorne(brief) &&
        isBorne(long) &&
        brief.unreadyAfterMs === null &&
        long.unreadyAfterMs !== null &&
        isOnly('200', brief.statuses) &&
        isOnly('503', long.lastStatuses),
      text: describe([brief, long]),
    };
  } finally {
    await subject.remove();
  }
}

function isBorne(figures: OutageFigures): boolean {
  const { lost, doubled, statuses, degradedAfterMs, readyAfterMs, failedHealthChecks } = figures;
  const isTruthful = degradedAfterMs <= 2_500 && readyAfterMs <= 5_000 && failedHealthChecks === 0;
  const isPolite = Object.keys(statuses).every((key) => ['200', '503'].includes(statusOf(key)));
  return lost.length + doubled.length === 0 && isTruthful && isPolite;
}

function isOnly(status: string, counts: Readonly<Record<string, number>>): boolean {
  const statuses = Object.keys(counts).map(statusOf);
  return statuses.length > 0 && statuses.every((one) => one === status);
}

/** Returns the status of a count's key, which is a status and an error code, such as `503 not_ready`. */
const statusOf = (key: string) => key.slice(0, 3);

function describe(outages: readonly OutageFigures[]): string {
  return `The product runs with two workers, its own PostgreSQL and an external provider; 6 callers send complete and streamed
requests. PostgreSQL is stopped and later started again; the product keeps running. Every request that the provider
has billed, or whose response headers a caller has received, must have one row. Known credentials are accepted for 30 s without the
database; until then, \`/readyz\` returns a 200 and reports that the node is degraded, so load balancers do not remove it. Afterwards, requests get a 503,
never a 401, and \`/readyz\` also returns a 503.

| stopped for | requests | lost rows | duplicate rows | responses since the stop | in its last 2 s | degraded after | unready after | ready again after | failed /healthz |
|---|---|---|---|---|---|---|---|---|---|
${outages.map(formatRow).join('\n')}`;
}

function formatRow(figures: OutageFigures): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const cells = [
    seconds(figures.downMs),
    figures.known,
    figures.lost.length,
    figures.doubled.length,
    formatCounts(figures.statuses),
    formatCounts(figures.lastStatuses),
    seconds(figures.degradedAfterMs),
    figures.unreadyAfterMs === null ? 'never' : seconds(figures.unreadyAfterMs),
    seconds(figures.readyAfterMs),
    figures.failedHealthChecks,
  ];
  return `| ${cells.join(' | ')} |`;
}

function formatCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([status, count]) => `${count} x ${status}`)
    .join(', ');
}
