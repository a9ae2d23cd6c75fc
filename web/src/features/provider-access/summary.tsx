import { Button } from '@mantine/core';
import type { AccessSummary } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import type { Column } from '#components/data-table/column.ts';
import { DataTable } from '#components/data-table/list-view.tsx';
import { ProviderName } from '#components/ui/provider-name.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatCount } from '#lib/format-number.ts';
import { providerNameOf } from '#lib/provider-registry.ts';
import { accessSummaryQuery } from './queries.ts';
import styles from './summary.module.css';

type ProviderUsage = AccessSummary['provider_usage_stats'][number];

export function AccessSummaryView({ onGrant }: { onGrant: () => void }) {
  const summary = useQuery(accessSummaryQuery);
  const { data } = summary;
  const failure = describeFailure(summary, 'Failed to fetch access summary');
  return (
    <div className={styles.summary}>
      {!(failure && !data) && (
        <StatStrip
          label="Access statistics"
          stats={[
            { label: 'User Access Grants', value: data?.total_user_accesses },
            { label: 'Team Access Grants', value: data?.total_team_accesses },
            { label: 'Users with Access', value: data?.total_unique_users_with_access },
            { label: 'Teams with Access', value: data?.total_unique_teams_with_access },
          ]}
        />
      )}
      <div>
        <DataTable
          columns={columns}
          rows={data?.provider_usage_stats}
          rowKey={({ provider_key, provider_instance_name }) => `${provider_key}/${provider_instance_name}`}
          label="Provider usage"
          loadingText="Loading summary..."
          emptyText="No access is granted yet"
          emptyAction={<Button onClick={onGrant}>Grant Access</Button>}
          failure={failure}
        />
      </div>
    </div>
  );
}

const columns: readonly Column<ProviderUsage>[] = [
  {
    name: 'Provider',
    width: '7.5rem',
    sortBy: ({ provider_key }) => providerNameOf(provider_key),
    cell: ({ provider_key }) => <ProviderName providerKey={provider_key} />,
  },
  {
    name: 'Instance',
    isHideable: false,
    sortBy: ({ provider_instance_name }) => provider_instance_name,
    cell: ({ provider_instance_name }) => provider_instance_name,
  },
  stat('User Access', ({ user_access_count }) => user_access_count, 'medium'),
  stat('Team Access', ({ team_access_count }) => team_access_count, 'medium'),
  stat('Total', ({ total_access_count }) => total_access_count),
];

function stat(
  name: string,
  read: (usage: ProviderUsage) => number,
  showFrom?: 'medium',
): Column<ProviderUsage> {
  return {
    name,
    width: showFrom ? '9rem' : '5.5rem',
    align: 'end',
    ...(showFrom && { showFrom }),
    sortBy: read,
    cell: (usage) => <span className="num">{formatCount(read(usage))}</span>,
  };
}
