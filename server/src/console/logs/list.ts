import type { LogEntry } from '@sluice/contract';
import { formatTotalCount } from '#domain/total-count.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { describeCondition, type LogFilters } from './condition.ts';
import { describeLog } from './describe-log.ts';
import { countLogs, selectLogPage } from './store.ts';

const textMax = 2000;

/** A page of the tenant's requests, newest first, with the start of their texts. */
export function listLogs(
  ctx: SignedInContext,
  { skip, limit, ...filters }: LogFilters & { skip: number; limit: number },
): Promise<LogEntry[]> {
  return ctx.inTenant(async (tx) => {
    const condition = await describeCondition(tx, ctx.principal.tenantId, filters);
    const total = await countLogs(tx, condition);
    ctx.setHeader('x-total-count', formatTotalCount(total));
    if (total === 0) return [];
    const rows = await selectLogPage(tx, condition, { skip, limit, textMax });
    return rows.map(describeLog);
  });
}
