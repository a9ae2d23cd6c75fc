import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { providers } from '#providers/registry.ts';
import { upsertVendors } from './store.ts';

/** Gives each vendor in code its row; run at every start. Rows of vendors that the code no longer has stay. */
export async function syncRegistry(database: NodePgDatabase): Promise<void> {
  const vendors = Object.entries(providers).map(([providerKey, { displayName, icon }]) => ({
    providerKey,
    displayName,
    icon,
  }));
  await upsertVendors(database, vendors);
}
