import type { SignedInContext } from '#http/console-route.ts';
import { upsertConnectionTest } from './store.ts';

/** Records that a connection test of one of the tenant's own providers succeeded. */
export function noteConnectionTest({ inTenant, principal }: SignedInContext): Promise<void> {
  return inTenant((tx) => upsertConnectionTest(tx, principal.tenantId));
}
