import type { TenantTransaction } from '#db/tenant.ts';
import { type Block, createBlock } from '#domain/access/block.ts';
import { selectEntries } from './store.ts';

/** Reads a tenant's blacklist in the form that the gateway's matcher uses. */
export async function readBlocks(tx: TenantTransaction, tenantId: number): Promise<Block[]> {
  const rows = await selectEntries(tx, tenantId);
  return rows.map(createBlock);
}
