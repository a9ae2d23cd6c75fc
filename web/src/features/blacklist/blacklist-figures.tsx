import { useQuery } from '@tanstack/react-query';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { formatCount } from '../../lib/format-number.ts';
import { blacklistSummaryQuery } from './blacklist-queries.ts';

/** How much is blocked; absent when that cannot be told. */
export function BlacklistFigures() {
  const { data, isError } = useQuery(blacklistSummaryQuery);
  if (isError && !data) return null;
  const count = (list: readonly unknown[] | undefined) => list && formatCount(list.length);
  return (
    <StatStrip
      label="Blacklist in figures"
      stats={[
        { label: 'Total Entries', value: data && formatCount(data.total_entries) },
        { label: 'Providers Affected', value: count(data?.providers_affected) },
        { label: 'Complete Blocks', value: count(data?.complete_provider_blocks) },
        { label: 'Model Specific', value: count(data?.model_specific_blocks) },
      ]}
    />
  );
}
