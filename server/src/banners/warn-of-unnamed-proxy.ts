import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Principal } from '#domain/principal.ts';
import type { Clock } from '#platform/clock.ts';
import type { Logger } from '#platform/logger.ts';
import { findAddressRange } from '#upstream/address-ranges.ts';
import { lowerBanner, raiseBanner } from './banners.ts';

const bannerId = 'unnamed-proxy';
/** Another node's start may have taken the banner down. */
const renewMs = 10 * 60_000;

/** How long a signed-in request from another peer is evidence against a single proxy. */
const otherPeersCountMs = 60 * 60_000;

interface Source {
  readonly peer: string;
  readonly isForwardedUnverified: boolean;
}

/**
 * Returns a function that is called with each request of a signed-in user. It warns operators, in the log once and by a
 * banner, when a super administrator's own request came through a private peer that is not trusted and every other
 * signed-in request of the last hour came from the same peer. A stranger cannot produce that evidence.
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
      (error) => log.warn({ error }, 'the banner about a proxy could not be put up'),
    );
  };
}

/** At a start, when the proxy may have been named; it goes up again when it was not. */
export function withdrawProxyWarning(database: NodePgDatabase): Promise<void> {
  return lowerBanner(database, bannerId);
}

/** Returns a function that tells whether a peer is the only one of the last hour. */
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
