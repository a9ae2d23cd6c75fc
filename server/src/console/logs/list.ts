import type { LogEntry } from '@sluice/contract';
import { recordPromptListRead } from '#console/audit-log/record-prompt-reads.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { type LogFilters, logCondition } from './condition.ts';
import { countLogs, hasText, selectLogPage } from './store.ts';
import { toLogEntry } from './to-log-entry.ts';

const textMax = 2000;

/** A page of the tenant's requests, newest first, with the start of their texts. */
export function listLogs(
  ctx: SignedInContext,
  { skip, limit, ...filters }: LogFilters & { skip: number; limit: number },
): Promise<LogEntry[]> {
  return ctx.inTenant(async (tx) => {
    const condition = await logCondition(tx, ctx.principal.tenantId, filters);
    const total = await countLogs(tx, condition);
    ctx.setHeader('x-total-count', formatTotalCount(total));
    if (total === 0) return [];
    const selectFirst = () => selectLogPage(tx, condition, { skip: 0, limit, textMax });
    const rows = await selectLogPage(tx, condition, { skip, limit, textMax });
    // A search tells of what it does not show, too: that there is something beyond the last page.
    const told = rows.length === 0 && filters.search ? await selectFirst() : rows;
    await recordPromptListRead(
      tx,
      told.filter(hasText).map(({ id }) => id),
    );
    return rows.map(toLogEntry);
  });
}
