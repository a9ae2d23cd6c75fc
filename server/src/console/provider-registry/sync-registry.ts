import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { providers } from '#providers/registry.ts';
import { upsertVendors } from './store.ts';

/** Called at every start. Rows of providers removed from the code are kept. */
export async function syncRegistry(database: NodePgDatabase): Promise<void> {
  const vendors = Object.entries(providers).map(([providerKey, { displayName, icon }]) => ({
    providerKey,
    displayName,
    icon,
  }));
  await upsertVendors(database, vendors);
}
