import { Button } from '@mantine/core';
import type { ProviderRegistryEntry } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { NarrowOnly } from '#components/data-table/cells.tsx';
import type { Column } from '#components/data-table/column.ts';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ExportButton } from '#components/data-table/export-button.tsx';
import { FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import type { TableSearch } from '#components/data-table/table-search.ts';
import { useDataTable } from '#components/data-table/use-data-table.ts';
import type { TableState } from '#components/data-table/use-table-state.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Line } from '#components/ui/lines.tsx';
import { ProviderName } from '#components/ui/provider-name.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { StatusMark } from '#components/ui/status-mark.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatCount } from '#lib/format-number.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import { providerRegistryQuery } from '#lib/provider-registry.ts';
import { useRegistryActions } from './actions.ts';
import { registryStatsQuery } from './queries.ts';

export const registryColumns: readonly Column<ProviderRegistryEntry>[] = [
  {
    name: 'Provider',
    minWidth: '10rem',
    isPinned: true,
    isHideable: false,
    sortBy: ({ display_name }) => display_name,
    cell: (entry) => (
      <>
        <ProviderName providerKey={entry.provider_key} />
        <NarrowOnly>
          <Status {...entry} />
        </NarrowOnly>
      </>
    ),
  },
  {
    name: 'Key',
    width: '7.5rem',
    showFrom: 'wide',
    sortBy: ({ provider_key }) => provider_key,
    cell: ({ provider_key }) => <code>{provider_key}</code>,
  },
  {
    name: 'Endpoint',
    width: '32%',
    showFrom: 'medium',
    sortBy: ({ default_endpoint }) => default_endpoint,
    cell: ({ default_endpoint }) =>
      default_endpoint === null ? (
        <span className="quiet">Set by each instance</span>
      ) : (
        <Line title={default_endpoint}>{default_endpoint}</Line>
      ),
  },
  {
    name: 'Models',
    width: '5.5rem',
    align: 'end',
    showFrom: 'medium',
    sortBy: ({ supported_models }) => supported_models.length,
    cell: ({ supported_models }) => <span className="num">{formatCount(supported_models.length)}</span>,
  },
  {
    name: 'Origin',
    width: '6rem',
    showFrom: 'medium',
    sortBy: originOf,
    cell: (entry) => <Badge tone={entry.is_built_in ? 'neutral' : 'accent'}>{originOf(entry)}</Badge>,
  },
  {
    name: 'Status',
    width: '6rem',
    showFrom: 'medium',
    sortBy: ({ is_active }) => (is_active ? 'Active' : 'Inactive'),
    cell: (entry) => <Status {...entry} />,
  },
];

function originOf({ is_built_in }: ProviderRegistryEntry): string {
  return is_built_in ? 'Built in' : 'Added';
}

function Status({ is_active }: Pick<ProviderRegistryEntry, 'is_active'>) {
  return <StatusMark kind={is_active ? 'ok' : 'off'}>{is_active ? 'Active' : 'Inactive'}</StatusMark>;
}

/** Visible to super administrators. */
export function ProviderRegistryList({ state }: { state: TableState<TableSearch> }) {
  const answer = useQuery(providerRegistryQuery);
  const actions = useRegistryActions();
  const model = useDataTable({ columns: registryColumns, rows: answer.data, rowKey: vendorKey, state });
  const isNarrowed = state.search.filter !== undefined;
  const isAnythingOpened = useEverTrue(actions.isOpen);
  usePreload(loadOverlays);
  return (
    <>
      <RegistryStats />
      <ListTools
        search={
          <FilterField state={state} label="Search provider types" placeholder="Search provider types..." />
        }
        filters={<Button onClick={() => actions.open('add')}>Add provider type</Button>}
        choices={
          <>
            <ColumnChooser model={model} />
            <ExportButton model={model} noun="provider-registry" />
          </>
        }
      />
      <ListView
        model={model}
        label="Provider Registry"
        loadingText="Loading provider registry..."
        emptyText={isNarrowed ? 'No provider types found' : 'There are no provider types'}
        failure={describeFailure(answer, 'Failed to load provider registry')}
        actions={actions.rowActions}
        nameOf={nameOf}
      />
      {isAnythingOpened && <RegistryOverlays actions={actions} />}
    </>
  );
}

const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const RegistryOverlays = lazyPart(loadOverlays, 'RegistryOverlays');

const vendorKey = ({ id }: ProviderRegistryEntry) => id;

const nameOf = ({ display_name }: ProviderRegistryEntry) => display_name;

function RegistryStats() {
  const answer = useQuery(registryStatsQuery);
  const { data } = answer;
  return (
    <StatStrip
      label="Registry statistics"
      failure={describeFailure(answer, 'Unknown error', 'Error loading the figures of the registry')}
      stats={[
        { label: 'Total Providers', value: data?.total_providers },
        { label: 'Active Providers', value: data?.active_providers },
        { label: 'Total Models', value: data?.total_models },
        { label: 'Instances of this tenant', value: data?.total_instances },
      ]}
    />
  );
}
