import { formatWithUnit } from '#components/charts/chart-data.ts';
import { formatUsd, formatUsdTick } from '#lib/format-money.ts';
import { formatCount, formatTokenTick } from '#lib/format-number.ts';

export const timeKinds = [
  { value: 'line', label: 'Line' },
  { value: 'bar', label: 'Bar' },
] as const;

export const spendKinds = [...timeKinds, { value: 'stacked', label: 'Stacked' }] as const;

export const intentKinds = [
  { value: 'pie', label: 'Pie' },
  { value: 'donut', label: 'Donut' },
  { value: 'bar', label: 'Bar' },
] as const;

export const barFirstKinds = [
  { value: 'bar', label: 'Bar' },
  { value: 'pie', label: 'Pie' },
  { value: 'donut', label: 'Donut' },
] as const;

export const metrics = [
  { value: 'requests', label: 'Requests' },
  { value: 'tokens', label: 'Tokens' },
  { value: 'cost', label: 'Cost' },
] as const;

export type Metric = (typeof metrics)[number]['value'];

export const measureOf = (
  { total_requests, total_tokens, cost_usd }: Record<'total_requests' | 'total_tokens' | 'cost_usd', number>,
  metric: Metric,
): number => ({ requests: total_requests, tokens: total_tokens, cost: cost_usd })[metric];

type Format = (value: number) => string;

export const metricFormats = {
  requests: { value: formatWithUnit('requests'), tick: formatCount, axis: formatCount },
  tokens: { value: formatWithUnit('tokens'), tick: formatTokenTick, axis: formatTokenTick },
  cost: { value: formatUsd, tick: formatUsd, axis: formatUsdTick },
} as const satisfies Record<
  Metric,
  { value: Format; tick: Format; axis: (value: number, top: number) => string }
>;

export const usageMeasures = [
  { value: 'tokens', label: 'Tokens' },
  { value: 'requests', label: 'Requests' },
  { value: 'cost', label: 'Cost' },
] as const;

export const userMeasures = [
  { value: 'users', label: 'Users' },
  { value: 'costPerUser', label: 'Cost per user' },
] as const;

export const orientations = [
  { value: 'vertical', label: 'Vertical' },
  { value: 'horizontal', label: 'Horizontal' },
] as const;

export const spendBreakdowns = [
  { value: 'breakdown', label: 'Breakdown' },
  { value: 'provider', label: 'By Provider' },
] as const;

export const refusalViews = [
  { value: 'reason', label: 'By Reason' },
  { value: 'day', label: 'By Day' },
] as const;

export const deviationBreakdowns = [
  { value: 'user', label: 'By User' },
  { value: 'team', label: 'By Team' },
] as const;
