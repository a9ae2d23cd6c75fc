import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Clock } from '#platform/clock.ts';
import type { Logger } from '#platform/logger.ts';
import { lowerBanner, raiseBanner } from './banners.ts';

const bannerId = 'unnamed-proxy';
/** Another node's start may have taken the banner down. */
const renewMs = 10 * 60_000;

/** Tells operators, in the log once and by a banner, of a proxy at an address that is not trusted. */
export function createProxyWarning({
  database,
  log,
  clock,
}: {
  readonly database: NodePgDatabase;
  readonly log: Logger;
  readonly clock: Clock;
}): (address: string) => void {
  let raisedAtMs: number | null = null;
  return (address) => {
    if (raisedAtMs !== null && clock() - raisedAtMs < renewMs) return;
    const message = formatWarning(address);
    if (raisedAtMs === null) log.warn({ address }, message);
    raisedAtMs = clock();
    raiseBanner(database, { id: bannerId, severity: 'warning', message, audience: 'super_admin' }).catch(
      (error) => log.warn({ error }, 'the banner about a proxy could not be put up'),
    );
  };
}

/** At a start, when the proxy may have been named; it goes up again when it was not. */
export function withdrawProxyWarning(database: NodePgDatabase): Promise<void> {
  return lowerBanner(database, bannerId);
}

function formatWarning(address: string): string {
  return (
    `Requests come through a proxy at ${address} that SLUICE_TRUSTED_PROXIES does not name, so that everybody seems to ` +
    'have its address, to the limits of sign-in and in the audit log. Name the proxy there, have it send ' +
    'X-Forwarded-For, and start Sluice again.'
  );
}
