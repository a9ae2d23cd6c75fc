import type { QuotaStatus, UserStats } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { type Stat, StatStrip } from '#components/ui/stat-strip.tsx';
import { quotaStatusQuery, tighterQuota, userStatsQuery } from '#lib/account-status.ts';
import { formatUsd } from '#lib/format-money.ts';
import { formatQuantity } from '#lib/format-number.ts';
import { formatZonedTime } from '#lib/format-time.ts';

type Quota = QuotaStatus['quotas']['tokens_per_day'];

export function CostAndRemaining() {
  const { data: stats } = useQuery(userStatsQuery);
  const { data: status } = useQuery(quotaStatusQuery);
  const perToken = stats && status && findPerToken(stats, status);
  const today = status && tighterQuota(status.quotas);
  return (
    <StatStrip
      label="Cost and remaining tokens"
      stats={[
        { label: 'Cost today', value: stats && formatUsd(stats.spend_usd_today) },
        {
          label: 'Cost this month',
          value: stats && formatUsd(stats.spend_usd_month),
          note: stats && `${formatUsd(stats.spend_usd_last_month)} last month`,
        },
        describeLeft('Left today', today, perToken),
        describeLeft('Left this month', status?.quotas.tokens_per_month, perToken),
      ]}
    />
  );
}

/** Returns this month's average price per token in dollars; `null` if nothing was used or paid. */
function findPerToken({ spend_usd_month }: UserStats, { quotas }: QuotaStatus): number | null {
  const { used } = quotas.tokens_per_month;
  return used > 0 && spend_usd_month > 0 ? spend_usd_month / used : null;
}

/** Describes tokens, approximate price, and reset time. */
export function describeLeft(
  label: string,
  quota: (Quota & { isMonthly?: boolean }) | undefined,
  perToken: number | null | undefined,
): Stat {
  if (!quota) return { label, value: undefined };
  if (quota.limit === null) return { label, value: 'Unlimited' };
  const left = Math.max(0, quota.limit - quota.used);
  const money = perToken ? `about ${formatUsd(left * perToken)} at your average price, ` : '';
  return {
    label,
    value: formatQuantity(left, 'token'),
    note: `${quota.isMonthly ? 'limited by the monthly quota, ' : ''}${money}until ${formatZonedTime(quota.resets_at)}`,
  };
}
