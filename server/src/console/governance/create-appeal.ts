import type { Appeal } from '@sluice/contract';
import type { TenantTransaction } from '#db/tenant.ts';
import { ConsoleError, notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findAppeal, findCurrentBlock, insertAppeal } from './appeals-store.ts';
import { toAppeal } from './to-appeal.ts';

/** Appeals against the caller's current block; each block accepts one appeal. */
export function createAppeal({ principal, inTenant }: SignedInContext, message: string): Promise<Appeal> {
  const { tenantId, userId } = principal;
  return inTenant(async (tx) => {
    const block = await findCurrentBlock(tx, userId);
    if (!block) throw new ConsoleError(409, 'Your account is not blocked');
    const id = await insertAppeal(tx, { tenantId, userId, scoreEventId: block.id, message });
    if (id === undefined) throw new ConsoleError(409, 'You have already appealed against this block');
    return readAppeal(tx, tenantId, id);
  });
}

/** Returns an appeal as all appeal routes do. */
export async function readAppeal(tx: TenantTransaction, tenantId: number, appealId: number): Promise<Appeal> {
  const row = await findAppeal(tx, tenantId, appealId);
  if (!row) throw notFound('Appeal');
  return toAppeal(row);
}
