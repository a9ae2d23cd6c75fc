import type { Budget } from '@sluice/contract';
import { formatQuantity } from './format-number.ts';

const dollars = (options: Intl.NumberFormatOptions) =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', ...options });

const decimals = (minimumFractionDigits: number, maximumFractionDigits = minimumFractionDigits) =>
  dollars({ minimumFractionDigits, maximumFractionDigits });

const centFormat = decimals(2);
const smallFormat = decimals(2, 6);
const millFormat = decimals(3);
const fixedFormats = { 2: centFormat, 4: decimals(4), 6: decimals(6) };
const oneCent = 0.01;
const smallest = 0.000001;

/** Formats an amount of money: `$1,234.56`, or with up to six decimals below one cent, `$0.0042`. */
export function formatUsd(amount: number): string {
  const size = Math.abs(amount);
  if (size >= oneCent || size === 0) return centFormat.format(amount);
  return size < smallest / 2 ? `<${smallFormat.format(smallest)}` : smallFormat.format(amount);
}

const tickFormat = decimals(2, 4);

/**
 * Formats an amount for an axis whose highest value is `top`. All ticks have the number of decimals that a step
 * between ticks needs: `$0.045` and `$0.090`.
 */
export function formatUsdTick(amount: number, top: number): string {
  if (top >= 0.4) return centFormat.format(amount);
  if (top >= 0.1) return millFormat.format(amount);
  return fixedFormats[top >= 0.001 ? 4 : 6].format(amount);
}

/** Formats an amount with a fixed number of decimals: 4 for balances and chart values, 6 for comparisons. */
export const formatUsdExact = (amount: number, digits: 2 | 4 | 6): string =>
  fixedFormats[digits].format(amount);

/** Formats the total spending of a tenant: six decimals below one cent, otherwise two. */
export const formatLifetimeSpent = (amount: number): string =>
  formatUsdExact(amount, Math.abs(amount) < oneCent ? 6 : 2);

/** Formats an amount with its sign: `+$5.00`, `-$0.0042`. */
export const formatSignedUsd = (amount: number): string =>
  `${amount < 0 ? '-' : '+'}${formatUsd(Math.abs(amount))}`;

/**
 * Formats a ledger entry with its sign and six decimals: `-$0.011234`. Entries add up to a balance, so the amounts
 * must not be rounded further.
 */
export const formatLedgerAmount = (amount: number): string =>
  `${amount < 0 ? '-' : '+'}${formatUsdExact(Math.abs(amount), 6)}`;

const smallRateFormat = dollars({ maximumSignificantDigits: 4 });

/**
 * Formats the price of a number of tokens: `$2.50`, `$0.075`, or four significant digits below one cent, `$0.00015`.
 */
export const formatRate = (amount: number): string =>
  (amount === 0 || amount >= oneCent ? tickFormat : smallRateFormat).format(amount);

const priceFormat = dollars({ maximumFractionDigits: 2, trailingZeroDisplay: 'stripIfInteger' });

/** Formats the price of a plan. Zero cents are omitted: `$29`, `$9.50`. */
export const formatPlanPrice = (amount: number): string => priceFormat.format(amount);

type Measure = Budget['measure'];

export const measureNames: Readonly<Record<Measure, string>> = {
  usd: 'US dollars',
  tokens: 'Tokens',
  requests: 'Requests',
  parallel_requests: 'Parallel requests',
};

/** Returns the unit of a counted measure, for example `parallel requests`. */
export const unitOf = ({ measure }: { readonly measure: string }) => measure.replace('_', ' ');

/** Formats an amount of a budget with its unit: `$12.50`, `1,000 tokens`. */
export const formatWithMeasure = (budget: { readonly measure: Measure }, amount: number): string =>
  budget.measure === 'usd' ? formatUsd(amount) : formatQuantity(amount, unitOf(budget).slice(0, -1));
