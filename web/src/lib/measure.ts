import type { Budget } from '@sluice/contract';
import { formatUsd } from './format-money.ts';
import { formatQuantity } from './format-number.ts';

type Measure = Budget['measure'];

/** Names of what a budget is counted in. */
export const measureNames: Readonly<Record<Measure, string>> = {
  usd: 'US dollars',
  tokens: 'Tokens',
  requests: 'Requests',
  parallel_requests: 'Parallel requests',
};

/** Returns the unit of a counted measure: `parallel requests`. */
export const unitOf = ({ measure }: { readonly measure: string }) => measure.replace('_', ' ');

/** Formats an amount of a budget with its unit: `$12.50`, `1,000 tokens`. */
export const formatWithMeasure = (budget: { readonly measure: Measure }, amount: number): string =>
  budget.measure === 'usd' ? formatUsd(amount) : formatQuantity(amount, unitOf(budget).slice(0, -1));
