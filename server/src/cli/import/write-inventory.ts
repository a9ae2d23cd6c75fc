import type { CheckEndpointUrl } from '#console/llm-providers/endpoint.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import type { Author } from '#domain/principal.ts';
import type { Keyring } from '#platform/keyring.ts';
import type { Inventory } from './inventory.ts';
import { type Counts, createCounts } from './report.ts';
import { writeBudgets } from './write-budgets.ts';
import { writeGrants } from './write-grants.ts';
import { writeInstances } from './write-instances.ts';
import { writeKeys } from './write-keys.ts';
import { writeOwners } from './write-owners.ts';

export interface WriteDeps {
  readonly keyring: Keyring;
  readonly checkEndpointUrl: CheckEndpointUrl;
  /** Time of the database and time zone of the tenant. */
  readonly nowMs: number;
  readonly timeZone: string;
  /** Reports progress. */
  note(text: string): void;
}

/** One import into a tenant, within its transaction. */
export interface Writing extends WriteDeps {
  readonly tx: TenantTransaction;
  readonly author: Author;
  readonly inventory: Inventory;
  readonly counts: Counts;
}

/**
 * Creates what the tenant does not have yet; what it has stays as it is. Objects are recognized by their names, email
 * addresses and hashes, and budgets by their subject and window.
 */
export async function writeInventory(
  deps: WriteDeps,
  tx: TenantTransaction,
  author: Author,
  inventory: Inventory,
): Promise<Counts> {
  const writing: Writing = { ...deps, tx, author, inventory, counts: createCounts() };
  const instances = await writeInstances(writing);
  deps.note('Providers are done.');
  const owners = await writeOwners(writing);
  await writeGrants(writing, instances, owners);
  deps.note('Teams, users and grants are done.');
  const keys = await writeKeys(writing, owners);
  deps.note('API keys are done.');
  await writeBudgets(writing, { instances, owners, keys });
  return writing.counts;
}
