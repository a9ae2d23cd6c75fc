import type { Comparison } from '@sluice/contract';
import { recordPromptListRead } from '#console/audit-log/record-prompt-reads.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { type ComparisonFilters, conditionOf, countComparisons, selectComparisons } from './store.ts';
import { toComparison } from './to-comparison.ts';

const textMax = 200;

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Lists the caller's own comparisons. */
export function listComparisons(
  ctx: SignedInContext,
  { offset, limit, ...filters }: Page & Omit<ComparisonFilters, 'userId'>,
): Promise<Comparison[]> {
  return listPage(ctx, { userId: ctx.principal.userId, ...filters }, { offset, limit });
}

/** Lists the comparisons of all users of the tenant, or of one. */
export function listAllComparisons(
  ctx: SignedInContext,
  {
    offset,
    limit,
    user_id: userId,
    ...filters
  }: Page & Omit<ComparisonFilters, 'userId'> & { readonly user_id?: number | undefined },
): Promise<Comparison[]> {
  return listPage(ctx, { userId, ...filters }, { offset, limit });
}

function listPage(
  { inTenant, principal, setHeader }: SignedInContext,
  filters: ComparisonFilters,
  page: Page,
): Promise<Comparison[]> {
  return inTenant(async (tx) => {
    const condition = conditionOf(principal.tenantId, filters);
    setHeader('x-total-count', formatTotalCount(await countComparisons(tx, condition)));
    const rows = await selectComparisons(tx, principal, condition, { ...page, textMax });
    await recordPromptListRead(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => toComparison(row, principal.userId));
  });
}
