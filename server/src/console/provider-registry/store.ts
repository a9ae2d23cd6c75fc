import { asc, sql } from 'drizzle-orm';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { providerRegistry } from '#db/schema/provider-registry.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export function selectRegistry(tx: TenantTransaction) {
  return tx.select().from(providerRegistry).orderBy(asc(providerRegistry.id));
}

export interface Vendor {
  providerKey: string;
  displayName: string;
  icon: string;
}

/** Adds the vendors that are missing and renames the others; whether one is active stays as it is. */
export async function upsertVendors(database: NodePgDatabase, vendors: Vendor[]): Promise<void> {
  await database
    .insert(providerRegistry)
    .values(vendors)
    .onConflictDoUpdate({
      target: providerRegistry.providerKey,
      set: { displayName: sql`excluded.display_name`, icon: sql`excluded.icon` },
    });
}
