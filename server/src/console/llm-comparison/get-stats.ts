import { type ComparisonStats, toUsd } from '@sluice/contract';
import type { SignedInContext } from '#http/console-route.ts';
import { sumComparisons } from './store.ts';

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
