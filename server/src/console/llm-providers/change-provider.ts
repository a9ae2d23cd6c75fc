import type { LlmProvider } from '@sluice/contract';
import { holdLock } from '#console/advisory-lock.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { toLlmProvider } from './list.ts';
import { type ProviderRow, selectProviders, updateProvider } from './store.ts';

type Changes = Parameters<typeof updateProvider>[3];

/**
 * Updates an instance with the result of `findChanges` and returns it. Locks out other changes of the tenant's
 * instances.
 * @throws ConsoleError 404 if the tenant does not have the instance.
 */
export function changeProvider(
  { principal: { tenantId }, inTenant }: SignedInContext,
  id: number,
  findChanges: (row: ProviderRow, tx: TenantTransaction) => Changes | Promise<Changes>,
): Promise<LlmProvider> {
  return inTenant(async (tx) => {
    await holdLock(tx, 'llmProviders', tenantId);
    const row = await requireRow(tx, tenantId, id);
    await updateProvider(tx, tenantId, id, await findChanges(row, tx));
    return toLlmProvider(await requireRow(tx, tenantId, id));
  });
}

async function requireRow(tx: TenantTransaction, tenantId: number, id: number): Promise<ProviderRow> {
  const [row] = await selectProviders(tx, tenantId, id);
  if (!row) throw notFound('Provider');
  return row;
}
