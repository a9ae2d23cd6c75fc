import type { AuditEntry } from '@sluice/contract';
import { formatTotalCount } from '#domain/total-count.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { type AuditFilters, auditCondition, countEntries, selectEntries } from './store.ts';
import { toAuditEntry } from './to-audit-entry.ts';

/** Returns a page of the tenant's changes, newest first; super administrators also see changes of the installation. */
export function listAuditEntries(
  ctx: SignedInContext,
  { skip, limit, ...filters }: AuditFilters & { skip: number; limit: number },
): Promise<AuditEntry[]> {
  const condition = auditCondition(ctx.principal, filters);
  return ctx.inTenant(async (tx) => {
    ctx.setHeader('x-total-count', formatTotalCount(await countEntries(tx, condition)));
    const rows = await selectEntries(tx, ctx.principal, condition, { skip, limit });
    return rows.map(toAuditEntry);
  });
}
