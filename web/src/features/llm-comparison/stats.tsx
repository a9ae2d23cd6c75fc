import { useQuery } from '@tanstack/react-query';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatUsdExact } from '../../lib/format-money.ts';
import { comparisonStatsQuery } from './queries.ts';

/** Figures of the user's own comparisons. */
export function ComparisonStats() {
  const answer = useQuery(comparisonStatsQuery);
  const { data } = answer;
  return (
    <StatStrip
      label="Comparisons in figures"
      failure={describeFailure(answer, 'Unknown error', 'Error loading the figures of comparisons')}
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
