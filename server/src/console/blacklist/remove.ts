import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { deleteEntry } from './store.ts';

export async function removeBlacklistEntry(
  { principal, inTenant }: SignedInContext,
  id: number,
): Promise<undefined> {
  const isRemoved = await inTenant((tx) => deleteEntry(tx, principal.tenantId, id));
  if (!isRemoved) throw notFound('Blacklist entry');
}
