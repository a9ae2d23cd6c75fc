import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { providers } from '#providers/registry.ts';
import { upsertVendors } from './store.ts';

/**
 * Adds missing rows of built-in providers at every start. Rows of providers that the code no longer contains remain.
 */
export async function syncRegistry(database: NodePgDatabase): Promise<void> {
  const vendors = Object.entries(providers).map(([providerKey, { displayName, icon }]) => ({
    providerKey,
    displayName,
    icon,
  }));
  await upsertVendors(database, vendors);
}
