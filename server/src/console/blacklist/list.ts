import type { BlacklistEntry } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { type EntryRow, selectEntries } from './store.ts';

export async function listBlacklist({ principal, inTenant }: SignedInContext): Promise<BlacklistEntry[]> {
  const rows = await inTenant((tx) => selectEntries(tx, principal.tenantId));
  return rows.map(toBlacklistEntry);
}

export function toBlacklistEntry(row: EntryRow): BlacklistEntry {
  return {
    id: row.id,
    provider_key: row.providerKey,
    model_pattern: row.modelPattern,
    reason: row.reason,
    description: row.description,
    blocked_by_user_name: row.blockedBy,
    created_at: row.createdAt.toISOString(),
  };
}
