import { deriveSlug } from '@sluice/contract';
import type { SystemDatabase } from '#db/system.ts';
import { sandboxModels } from './sandbox-models.ts';
import { findFreeSlug, insertSandbox, insertTenant, type NewTenantRow } from './store.ts';

export interface NewTenant extends Omit<NewTenantRow, 'slug'> {
  /** Defaults to an unused slug derived from the name. */
  readonly slug?: string | undefined;
  /** Whether the sandbox is enabled, so that the tenant can send a first request immediately. */
  readonly hasSandbox: boolean;
}

/**
 * Creates a tenant with its sandbox instance and returns its id; all tenants are created here. Settings come with
 * defaults and triggers of the row.
 * @throws ConsoleError 422 on `slug` if it is taken.
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
