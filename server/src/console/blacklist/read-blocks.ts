import type { TenantTransaction } from '#db/tenant.ts';
import { type Block, createBlock } from '#domain/access/block.ts';
import { selectEntries } from './store.ts';

/** A tenant's blacklist, ready to be asked as the gate asks it. */
export async function readBlocks(tx: TenantTransaction, tenantId: number): Promise<Block[]> {
  const rows = await selectEntries(tx, tenantId);
  return rows.map(createBlock);
}
