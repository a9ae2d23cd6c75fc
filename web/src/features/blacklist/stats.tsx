import { useQuery } from '@tanstack/react-query';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { blacklistSummaryQuery } from './queries.ts';

/** How much is blocked; absent when that cannot be told. */
export function BlacklistStats() {
  const { data, isError } = useQuery(blacklistSummaryQuery);
  if (isError && !data) return null;
  return (
    <StatStrip
      label="Blacklist in figures"
      stats={[
        { label: 'Total Entries', value: data?.total_entries },
        { label: 'Providers Affected', value: data?.providers_affected.length },
        { label: 'Complete Blocks', value: data?.complete_provider_blocks.length },
        { label: 'Model Specific', value: data?.model_specific_blocks.length },
      ]}
    />
  );
}
