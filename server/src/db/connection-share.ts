import { AsyncLocalStorage } from 'node:async_hooks';
import { networkOf } from '#domain/sign-in-throttle.ts';

/** Share of the connections that some work uses, from the widest group to the narrowest. */
export type ConnectionShare = readonly [group: string, member: string];

const shares = new AsyncLocalStorage<ConnectionShare>();
/**
 * Returns the share of background work: one group, so that work due at the same time leaves a connection to callers.
 */
export function ownShare(purpose: string): ConnectionShare {
  return ['server', purpose];
}

/** Runs work whose connections count against a share. */
export function withShare<Result>(share: ConnectionShare, work: () => Result): Result {
  return shares.run(share, work);
}

export function currentShare(): ConnectionShare {
  return shares.getStore() ?? ownShare('other');
}

/** Returns the share of a signed-in caller: tenants take turns, and so do the users of a tenant. */
export function shareOf({ tenantId, userId }: { tenantId: number; userId: number }): ConnectionShare {
  return [`tenant:${tenantId}`, `user:${userId}`];
}

/** Returns the share of an anonymous caller: all of them are one group, in which networks take turns. */
export function shareOfAddress(address: string): ConnectionShare {
  return ['anonymous', networkOf(address)];
}
