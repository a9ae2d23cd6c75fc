import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Principal } from '#domain/principal.ts';
import type { Clock } from '#platform/clock.ts';
import type { Logger } from '#platform/logger.ts';
import { findAddressRange } from '#upstream/address-ranges.ts';
import { lowerBanner, raiseBanner } from './banners.ts';

const bannerId = 'unnamed-proxy';
/** Interval after which the banner is raised again, since the start of another node may have withdrawn it. */
const renewMs = 10 * 60_000;

/** Time for which a signed-in request from another peer proves that not all traffic uses one proxy. */
const otherPeersCountMs = 60 * 60_000;

interface Source {
  readonly peer: string;
  readonly isForwardedUnverified: boolean;
}

/**
 * Returns a function to call with each request of a signed-in user. The function warns (one log line, one banner)
 * when a super administrator's request and all other signed-in requests of the last hour came through the same
 * private, untrusted peer. Unauthenticated clients cannot trigger the warning.
 */
export function createProxyWarning({
  database,
  log,
  clock,
}: {
  readonly database: NodePgDatabase;
  readonly log: Logger;
  readonly clock: Clock;
}): (principal: Pick<Principal, 'role'>, source: Source) => void {
  let raisedAtMs: number | null = null;
  const isOnlyPeer = watchPeers(clock);
  return ({ role }, { peer, isForwardedUnverified }) => {
    const isSole = isOnlyPeer(peer);
    if (!isSole || !isForwardedUnverified || role !== 'super_admin' || !isPrivate(peer)) return;
    if (raisedAtMs !== null && clock() - raisedAtMs < renewMs) return;
    const message = formatWarning(peer);
    if (raisedAtMs === null) log.warn({ peer }, message);
    raisedAtMs = clock();
    raiseBanner(database, { id: bannerId, severity: 'warning', message, audience: 'super_admin' }).catch(
      (error) => log.warn({ error }, 'the banner about an unnamed proxy could not be stored'),
    );
  };
}

/** Withdraws the banner at startup, since the proxy may have been configured. If not, the banner is raised again. */
export function withdrawProxyWarning(database: NodePgDatabase): Promise<void> {
  return lowerBanner(database, bannerId);
}

/** Returns a function that reports whether a peer was the only peer of the last hour. */
function watchPeers(clock: Clock): (peer: string) => boolean {
  let latest: string | null = null;
  let changedAtMs = Number.NEGATIVE_INFINITY;
  return (peer) => {
    if (latest !== null && latest !== peer) changedAtMs = clock();
    latest = peer;
    return clock() - changedAtMs >= otherPeersCountMs;
  };
}

function isPrivate(address: string): boolean {
  return ['loopback', 'private', 'shared'].includes(findAddressRange(address));
}

function formatWarning(peer: string): string {
  return (
    `Your own requests and those of all other signed-in users come from ${peer} with forwarding headers, and ` +
    'SLUICE_TRUSTED_PROXIES does not name that address. All users share its sign-in limits, and the audit log shows ' +
    'it for everyone. If your reverse proxy runs there, add it to SLUICE_TRUSTED_PROXIES, have it set ' +
    'X-Forwarded-For, and restart Sluice. If not, leave the setting as it is.'
  );
}
