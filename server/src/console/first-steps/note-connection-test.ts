import type { SignedInContext } from '#http/console-route.ts';
import { upsertConnectionTest } from './store.ts';

/** A provider of the tenant's own was reached. */
export function noteConnectionTest({ inTenant, principal }: SignedInContext): Promise<void> {
  return inTenant((tx) => upsertConnectionTest(tx, principal.tenantId));
}
