import { useQuery } from '@tanstack/react-query';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { formatUsdExact } from '../../lib/format-money.ts';
import { comparisonStatsQuery } from './queries.ts';

/** What the own comparisons come to; absent when that cannot be told. */
export function ComparisonStats() {
  const { data, isError } = useQuery(comparisonStatsQuery);
  if (isError && !data) return null;
  return (
    <StatStrip
      label="Comparisons in figures"
      stats={[
        { label: 'Total Comparisons', value: data?.total_comparisons },
        { label: 'Total Cost', value: data && formatUsdExact(data.total_cost, 6) },
        {
          label: 'Average Cost per Comparison',
          value: data && formatUsdExact(data.average_cost_per_comparison, 6),
        },
      ]}
    />
  );
}
