import { type Comparison, type ComparisonStats, type ModelWinRate, toUsd } from '@sluice/contract';
import { recordPromptListRead, recordPromptRead } from '#console/audit-log/record-prompt-reads.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { isAllowed } from '#domain/principal.ts';
import { formatTotalCount } from '#domain/total-count.ts';
import { winRateOf } from '#domain/win-rate.ts';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import {
  type ComparisonFilters,
  type ComparisonRow,
  conditionOf,
  countComparisons,
  findComparison,
  selectComparisons,
  sumComparisons,
} from './store.ts';
import { toComparison } from './to-comparison.ts';
import { countVotes, sumVotedAnswers } from './votes-store.ts';

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

export function getComparison({ inTenant, principal }: SignedInContext, id: string): Promise<Comparison> {
  return inTenant(async (tx) => toComparison(await readComparison(tx, principal, id), principal.userId));
}

/**
 * Returns a comparison. Reading another user's requires access to the log and is audited.
 * @throws ConsoleError 404 if the caller may not read it.
 */
export async function readComparison(
  tx: TenantTransaction,
  principal: SignedInContext['principal'],
  id: string,
): Promise<ComparisonRow> {
  const row = await findComparison(tx, principal, id);
  const isOwn = row?.userId === principal.userId;
  if (!row || !(isOwn || isAllowed(principal, 'logs.read'))) throw notFound('Comparison');
  await recordPromptRead(tx, id);
  return row;
}

/** Returns the cost of the caller's own comparisons, including running ones. */
export async function getComparisonStats({ inTenant, principal }: SignedInContext): Promise<ComparisonStats> {
  const { tenantId, userId } = principal;
  const { total, costNanoUsd } = await inTenant((tx) => sumComparisons(tx, tenantId, userId));
  const cost = BigInt(costNanoUsd);
  return {
    total_comparisons: total,
    total_cost: toUsd(cost),
    average_cost_per_comparison: total === 0 ? 0 : toUsd(cost / BigInt(total)),
  };
}

/**
 * Computes win rates from all votes of the tenant. The cost is the mean of answers that were voted on and have a price.
 */
export function listWinRates({ inTenant, principal }: SignedInContext): Promise<ModelWinRate[]> {
  return inTenant(async (tx) => {
    const counts = await countVotes(tx, principal.tenantId);
    const sums = await sumVotedAnswers(tx, principal.tenantId);
    return counts.map(({ registryId, providerName, modelName, ...count }) => {
      const answers = sums.find((sum) => sum.registryId === registryId && sum.modelName === modelName);
      const { rate, low, high } = winRateOf(count);
      const cost = answers?.pricedCount ? BigInt(answers.costNanoUsd) : null;
      return {
        provider_registry_id: registryId,
        provider_name: providerName,
        model_name: modelName,
        ...count,
        win_rate: rate,
        win_rate_low: low,
        win_rate_high: high,
        answers: answers?.count ?? 0,
        total_cost: cost === null ? null : toUsd(cost),
        average_cost_per_answer: cost === null ? null : toUsd(cost / BigInt(answers?.pricedCount ?? 1)),
      };
    });
  });
}
