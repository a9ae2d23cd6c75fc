import { deriveSlug } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import { sandboxModels } from './sandbox-models.ts';
import { findFreeSlug, insertSandbox, insertTenant, type NewTenantRow } from './store.ts';

export interface NewTenant extends Omit<NewTenantRow, 'slug'> {
  /** Made of the name unless given, and then one that nobody has. */
  readonly slug?: string | undefined;
  /** Whether the built-in sandbox is switched on, so that the tenant can send a first request at once. */
  readonly hasSandbox: boolean;
}

/**
 * Makes a tenant that is ready to work: every tenant is made here. What it is to have, such as settings, comes with its
 * row and the triggers on it; the sandbox is an instance of its own. Answers its id.
 * @throws ConsoleError 422 on `slug` when another tenant has it.
 */
export async function addTenant(
  tx: SystemDatabase,
  { slug, hasSandbox, ...columns }: NewTenant,
): Promise<number> {
  const chosen = slug ?? (await findFreeSlug(tx, deriveSlug(columns.name) || 'tenant'));
  const tenantId = await insertTenant(tx, { ...columns, slug: chosen });
  if (hasSandbox) await insertSandbox(tx, tenantId, sandboxModels);
  return tenantId;
}
