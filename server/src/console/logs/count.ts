import type { SignedInContext } from '#http/console-route.ts';
import { chooseRows, type LogFilters } from './chosen-rows.ts';
import { countRows } from './store.ts';
import { withinTime } from './within-time.ts';

const countMax = 1_000_000;

/** Counts the requests that match the filters, up to a million. */
export function countLogs(
  ctx: SignedInContext,
  filters: LogFilters,
): Promise<{ count: number; is_exact: boolean }> {
  return ctx.inTenant(async (tx) => {
    const chosen = await chooseRows(tx, ctx.principal.tenantId, filters);
    const count = await withinTime(tx, () => countRows(tx, chosen, countMax + 1));
    return { count: Math.min(count, countMax), is_exact: count <= countMax };
  });
}
