import type { Preferences } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Principal } from '#domain/principal.ts';
import { findPreferences } from './store.ts';

/** Returns a user's display preferences; `null` until they are saved. */
export function readPreferences(tx: TenantTransaction, principal: Principal): Promise<Preferences | null> {
  return findPreferences(tx, principal);
}
