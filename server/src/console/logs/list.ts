import type { LogEntry } from '@sluice/contract';
import { recordPromptListRead } from '#console/audit-log/record-prompt-reads.ts';
import { formatTotalCount, logCountMax } from '#domain/total-count.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { chooseRows, type LogFilters } from './chosen-rows.ts';
import { findPage, hasText, selectRows } from './store.ts';
import { toLogEntry } from './to-log-entry.ts';
import { withinTime } from './within-time.ts';

const textMax = 2000;

interface Page {
  readonly skip: number;
  readonly limit: number;
  readonly before?: string | undefined;
}

/** Lists a page of the tenant's requests, newest first, with the beginning of their texts. */
export function listLogs(
  ctx: SignedInContext,
  { skip, limit, before, ...filters }: LogFilters & Page,
): Promise<LogEntry[]> {
  const { tenantId } = ctx.principal;
  return ctx.inTenant(async (tx) => {
    const chosen = await chooseRows(tx, tenantId, filters);
    // Counts at least through the requested page.
    const countMax = Math.max(logCountMax, skip + limit);
    const page = { before, limit, countMax: countMax + 1 };
    const { ids, total } = await withinTime(tx, () => findPage(tx, chosen, { ...page, skip }));
    ctx.setHeader('x-total-count', formatTotalCount(total, countMax));
    const rows = await selectRows(tx, tenantId, ids, textMax);
    // A search beyond the last page still reveals that there are matches, so it counts as a read.
    const isBeyond = rows.length === 0 && total > 0 && chosen.search_like !== undefined;
    const told = isBeyond
      ? await selectRows(tx, tenantId, (await findPage(tx, chosen, { ...page, skip: 0 })).ids)
      : rows;
    await recordPromptListRead(
      tx,
      told.filter(hasText).map(({ id }) => id),
    );
    return rows.map(toLogEntry);
  });
}
