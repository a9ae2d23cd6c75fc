import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import type { Inventory } from './inventory.ts';
import { type Counts, createCounts } from './report.ts';
import { writeBudgets } from './write-budgets.ts';
import { writeGrants } from './write-grants.ts';
import { writeInstances } from './write-instances.ts';
import { writeKeys } from './write-keys.ts';
import { writeOwners } from './write-owners.ts';
import type { WriteDeps, Writing } from './writing.ts';

/**
 * Creates missing objects and leaves existing objects unchanged. Objects are identified by name, email address or
 * hash, and budgets by subject and window.
 */
export async function writeInventory(
  deps: WriteDeps,
  tx: TenantTransaction,
  author: Author,
  inventory: Inventory,
): Promise<Counts> {
  const writing: Writing = { ...deps, tx, author, inventory, counts: createCounts() };
  const instances = await writeInstances(writing);
  deps.note('Providers processed.');
  const owners = await writeOwners(writing);
  await writeGrants(writing, instances, owners);
  deps.note('Teams, users and grants processed.');
  const keys = await writeKeys(writing, owners);
  deps.note('API keys processed.');
  await writeBudgets(writing, { instances, owners, keys });
  return writing.counts;
}
