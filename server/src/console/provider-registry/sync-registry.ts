import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { providers } from '#providers/registry.ts';
import { upsertVendors } from './store.ts';

/** Adds a row for each provider in code at every start; rows of providers removed from the code stay. */
export async function syncRegistry(database: NodePgDatabase): Promise<void> {
  const vendors = Object.entries(providers).map(([providerKey, { displayName, icon }]) => ({
    providerKey,
    displayName,
    icon,
  }));
  await upsertVendors(database, vendors);
}
