import { describe, expect, it } from 'vitest';
import { formatPrice, savingsPercent } from './plan-price.ts';

const plan = (price_monthly: number, price_yearly: number) => ({ price_monthly, price_yearly });

it.each([
  [29, 290, 17],
  [99, 990, 17],
  [100, 1200, 0],
  [100, 600, 50],
  [0, 0, 0],
])('savingsPercent for $%d per month and $%d per year is %d percent', (monthly, yearly, percent) => {
  expect(savingsPercent(plan(monthly, yearly))).toBe(percent);
});

describe('formatPrice', () => {
  it('formatPrice returns the price for the billing cycle, or Free', () => {
    expect(formatPrice(plan(29, 290), 'monthly')).toBe('$29 per month');
    expect(formatPrice(plan(29, 290), 'yearly')).toBe('$290 per year');
    expect(formatPrice(plan(9.5, 95), 'monthly')).toBe('$9.50 per month');
    expect(formatPrice(plan(0, 0), 'yearly')).toBe('Free');
  });
});
