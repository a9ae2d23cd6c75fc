import { useQuery } from '@tanstack/react-query';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { blacklistSummaryQuery } from './queries.ts';

/** Number of blocked providers and models. */
export function BlacklistStats() {
  const answer = useQuery(blacklistSummaryQuery);
  const { data } = answer;
  return (
    <StatStrip
      label="Blacklist in figures"
      failure={describeFailure(answer, 'Unknown error', 'Error loading the figures of the blacklist')}
      stats={[
        { label: 'Total Entries', value: data?.total_entries },
        { label: 'Providers Affected', value: data?.providers_affected.length },
        { label: 'Complete Blocks', value: data?.complete_provider_blocks.length },
        { label: 'Model Specific', value: data?.model_specific_blocks.length },
      ]}
    />
  );
}
