import { holdLock } from '#console/advisory-lock.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { deleteProvider, selectProviders } from './store.ts';

/** Deletes an instance with its grants and prices; log rows keep its name. */
export function deleteLlmProvider({ principal, inTenant }: SignedInContext, id: number): Promise<undefined> {
  const { tenantId, role } = principal;
  return inTenant(async (tx) => {
    await holdLock(tx, 'llmProviders', tenantId);
    const [row] = await selectProviders(tx, tenantId, id);
    if (!row) throw notFound('Provider');
    if (row.isServiceManaged && role !== 'super_admin') {
      throw new ConsoleError(403, 'Only a super administrator may delete a service-managed provider');
    }
    await deleteProvider(tx, tenantId, id);
    return undefined;
  });
}
