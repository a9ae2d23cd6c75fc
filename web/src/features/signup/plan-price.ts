import type { BillingCycle, Plan } from '@sluice/contract';

type Prices = Pick<Plan, 'price_monthly' | 'price_yearly'>;

export const isFree = ({ price_monthly }: Prices): boolean => price_monthly === 0;

/** Returns how much less a year costs than twelve months, in whole percent. */
export function savingsPercent({ price_monthly, price_yearly }: Prices): number {
  const twelveMonths = 12 * price_monthly;
  return twelveMonths === 0 ? 0 : Math.round(((twelveMonths - price_yearly) / twelveMonths) * 100);
}

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 2,
  trailingZeroDisplay: 'stripIfInteger',
});

/** Returns the price, for example `$29 per month` or `Free`. */
export function formatPrice(plan: Prices, cycle: BillingCycle): string {
  if (isFree(plan)) return 'Free';
  return cycle === 'yearly'
    ? `${dollars.format(plan.price_yearly)} per year`
    : `${dollars.format(plan.price_monthly)} per month`;
}
