import { Button } from '@mantine/core';
import type { ProviderRegistryEntry } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportButton } from '../../components/data-table/export-button.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import { ListView } from '../../components/data-table/list-view.tsx';
import type { TableSearch } from '../../components/data-table/table-search.ts';
import { useDataTable } from '../../components/data-table/use-data-table.ts';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { lazyFile, lazyPart } from '../../lib/lazy-part.tsx';
import { providerRegistryQuery } from '../../lib/provider-registry.ts';
import { useEverTrue } from '../../lib/use-ever-true.ts';
import { usePreload } from '../../lib/use-preload.ts';
import { useRegistryActions } from './actions.ts';
import { registryColumns } from './columns.tsx';
import { registryStatsQuery } from './queries.ts';

/** Vendors that tenants can create instances of, for super administrators. */
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
        search={<FilterField state={state} label="Search vendors" placeholder="Search vendors..." />}
        filters={<Button onClick={() => actions.open('add')}>Add Vendor</Button>}
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
        emptyText={isNarrowed ? 'No vendors found' : 'There are no vendors'}
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
      label="Registry in figures"
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
