import type { GrantableProvider, PickedUser } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { selectActiveTeams, selectActiveUsers, selectInstances } from './store.ts';

export function listGrantableProviders({
  principal,
  inTenant,
}: SignedInContext): Promise<GrantableProvider[]> {
  return inTenant((tx) => selectInstances(tx, principal.tenantId));
}

export function listGrantableUsers({ principal, inTenant }: SignedInContext): Promise<PickedUser[]> {
  return inTenant((tx) => selectActiveUsers(tx, principal.tenantId));
}

export function listGrantableTeams({ principal, inTenant }: SignedInContext) {
  return inTenant((tx) => selectActiveTeams(tx, principal.tenantId));
}
