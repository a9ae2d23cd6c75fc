import type { Preferences } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { findPreferences } from './store.ts';

/** How a person wants to see the console; `null` until they have chosen. */
export function readPreferences(tx: TenantTransaction, principal: Principal): Promise<Preferences | null> {
  return findPreferences(tx, principal);
}
