import type { BillingCycle, Plan } from '@sluice/contract';
import { formatPlanPrice } from './format-money.ts';

type Prices = Pick<Plan, 'price_monthly' | 'price_yearly'>;

export const isFree = ({ price_monthly }: Prices): boolean => price_monthly === 0;

/** Returns the discount of the yearly price compared with twelve months, in whole percent. */
export function savingsPercent({ price_monthly, price_yearly }: Prices): number {
  const twelveMonths = 12 * price_monthly;
  return twelveMonths === 0 ? 0 : Math.round(((twelveMonths - price_yearly) / twelveMonths) * 100);
}

/** Formats the price of a plan, for example `$29 per month` or `Free`. */
export function formatPrice(plan: Prices, cycle: BillingCycle): string {
  if (isFree(plan)) return 'Free';
  return cycle === 'yearly'
    ? `${formatPlanPrice(plan.price_yearly)} per year`
    : `${formatPlanPrice(plan.price_monthly)} per month`;
}
