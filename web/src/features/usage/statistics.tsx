import type { UserDailyUsage } from '@sluice/contract';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { formatTitleDay } from '../../lib/format-day.ts';
import { formatCount, formatTokens } from '../../lib/format-number.ts';

/** Totals of the displayed days. */
export function TokenStatistics({ usage }: { usage: readonly UserDailyUsage[] | undefined }) {
  const tokens = usage?.reduce((sum, day) => sum + day.tokens, 0);
  const requests = usage?.reduce((sum, day) => sum + day.requests, 0);
  const peak = usage?.reduce((most, day) => (day.tokens > most.tokens ? day : most), { date: '', tokens: 0 });
  return (
    <StatStrip
      label="Token statistics"
      stats={[
        { label: 'Tokens', value: tokens === undefined ? undefined : formatTokens(tokens) },
        {
          label: 'Average a day',
          value: usage && tokens !== undefined ? formatTokens(Math.round(tokens / usage.length)) : undefined,
        },
        {
          label: 'Most on a day',
          value: peak && formatTokens(peak.tokens),
          note: peak?.date ? formatTitleDay(peak.date) : 'None yet',
        },
        { label: 'Requests', value: requests === undefined ? undefined : formatCount(requests) },
      ]}
    />
  );
}
