import type { plans } from '#db/schema/plans.ts';
import type { ProviderPlan } from './subscription-provider.ts';

const nanoUsdPerCent = 10_000_000n;

/** Returns a plan with its price in whole cents. */
export function toProviderPlan({ id, name, priceMonthly }: typeof plans.$inferSelect): ProviderPlan {
  return { id, name, monthlyCents: Number(priceMonthly / nanoUsdPerCent) };
}
