import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { RefreshCw } from 'lucide-react';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportButton } from '../../components/data-table/export-button.tsx';
import { NewRowsBar } from '../../components/data-table/new-rows-bar.tsx';
import { OffsetPager } from '../../components/data-table/pager.tsx';
import { useDataTable } from '../../components/data-table/use-data-table.ts';
import { useTableState } from '../../components/data-table/use-table-state.ts';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { logColumns } from '../../features/logs/columns.tsx';
import { LogDrawer } from '../../features/logs/drawer.tsx';
import { LogFilters } from '../../features/logs/filters.tsx';
import { LogList } from '../../features/logs/list.tsx';
import { logsQuery } from '../../features/logs/queries.ts';
import { logsPageSize, logsSearch } from '../../features/logs/search.ts';
import { useLoadedModels } from '../../features/logs/use-loaded-models.ts';
import { usersQuery } from '../../features/users/queries.ts';
import { formatClock } from '../../lib/format-time.ts';
import styles from './logs.module.css';

export function LogsPage() {
  const state = useTableState(logsSearch);
  const queryClient = useQueryClient();
  const { data: users = [] } = useQuery(usersQuery);
  const { data, error, dataUpdatedAt, isPlaceholderData, refetch } = useQuery(logsQuery(state.search));
  const model = useDataTable({
    columns: logColumns,
    rows: data?.logs,
    rowKey: ({ id }) => id,
    state: state,
    filteredBy: 'server',
    question: data?.question,
  });
  const models = useLoadedModels(data?.logs);

  const refresh = () => {
    model.arrivals.show();
    void refetch();
  };
  const prefetch = (page: number) => void queryClient.prefetchQuery(logsQuery({ ...state.search, page }));
  return (
    <>
      <PageHeader
        title="System Logs"
        subtitle="Monitor API requests, responses, and system activity"
        actions={
          <>
            {data && (
              <span className={`num ${styles.refreshed}`}>
                {state.search.page === undefined ? 'refreshes every 10 s' : 'refreshed'} ·{' '}
                {formatClock(dataUpdatedAt)}
              </span>
            )}
            <Button
              variant="default"
              leftSection={<RefreshCw size={14} strokeWidth={1.5} aria-hidden />}
              onClick={refresh}
            >
              Refresh
            </Button>
            <ExportButton model={model} noun="logs" />
          </>
        }
      />
      <LogFilters state={state} users={users} models={models}>
        <ColumnChooser model={model} />
      </LogFilters>
      <NewRowsBar arrivals={model.arrivals} />
      <LogList
        model={model}
        state={state}
        total={data?.total ?? null}
        isStale={isPlaceholderData}
        error={error}
        onRetry={refetch}
      />
      {model.rows && (
        <OffsetPager
          state={model.state}
          rowCount={model.rows.length}
          total={data?.total ?? null}
          usualSize={logsPageSize}
          onPrefetch={prefetch}
          note={state.search.sort === undefined ? null : ' · sorted within this page'}
        />
      )}
      {state.search.open !== undefined && <LogDrawer model={model} id={String(state.search.open)} />}
    </>
  );
}
