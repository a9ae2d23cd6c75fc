import type { User } from '@sluice/contract';
import { formatTotalCount } from '#domain/total-count.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { findMissing } from './find-missing.ts';
import { toUser } from './get.ts';
import { countUsers, selectUsage, selectUsers } from './store.ts';

export async function listUsers(
  ctx: SignedInContext,
  page: { skip?: number | undefined; limit?: number | undefined },
): Promise<User[]> {
  const { tenantId } = ctx.principal;
  return ctx.inTenant(async (tx) => {
    ctx.setHeader('x-total-count', formatTotalCount(await countUsers(tx, tenantId)));
    const rows = await selectUsers(tx, tenantId, page);
    const usage = await selectUsage(tx, tenantId);
    const missing = await findMissing(tx, tenantId);
    return rows.map((row) => toUser(row, usage.get(row.id), missing.get(row.id)));
  });
}
