import type { User } from '@sluice/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportButton } from '../../components/data-table/export-button.tsx';
import { NewRowsBar } from '../../components/data-table/new-rows-bar.tsx';
import { OffsetPager } from '../../components/data-table/pager.tsx';
import type { TotalCount } from '../../components/data-table/total-count.ts';
import { useDataTable } from '../../components/data-table/use-data-table.ts';
import { type TableState, useTableState } from '../../components/data-table/use-table-state.ts';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { RefreshButton } from '../../components/ui/refresh-button.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { formatClock } from '../../lib/format-time.ts';
import { logColumns } from './columns.tsx';
import { LogDrawer } from './drawer.tsx';
import { LogFilters } from './filters.tsx';
import { LogList } from './list.tsx';
import { logsQuery } from './queries.ts';
import styles from './screen.module.css';
import { type LogsSearch, logsPageSize, logsSearch } from './search.ts';
import { useLoadedModels } from './use-loaded-models.ts';

/** The request log. The users are those to filter by. */
export function LogsScreen({ users }: { users: readonly User[] }) {
  const state = useTableState(logsSearch);
  const answer = useQuery(logsQuery(state.search));
  const { data, dataUpdatedAt, isPlaceholderData, refetch } = answer;
  const model = useDataTable({
    columns: logColumns,
    rows: data?.logs,
    rowKey: ({ id }) => id,
    state,
    filteredBy: 'caller',
    question: data?.question,
  });
  const models = useLoadedModels(data?.logs);

  const refresh = () => {
    model.arrivals.show();
    void refetch();
  };
  return (
    <>
      <PageHeader
        title="System Logs"
        subtitle="Monitor API requests, responses, and system activity"
        actions={
          <>
            {data && <RefreshedAt isRepeated={state.search.page === undefined} atMs={dataUpdatedAt} />}
            <RefreshButton onRefresh={refresh} />
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
        failure={describeFailure(answer, 'Unknown error', 'Error loading logs')}
      />
      {model.rows && <LogPager state={state} rowCount={model.rows.length} total={data?.total ?? null} />}
      {state.search.open !== undefined && <LogDrawer model={model} id={String(state.search.open)} />}
    </>
  );
}

function RefreshedAt({ isRepeated, atMs }: { isRepeated: boolean; atMs: number }) {
  return (
    <span className={`num ${styles.refreshed}`}>
      {isRepeated ? 'refreshes every 10 s' : 'refreshed'} · {formatClock(atMs)}
    </span>
  );
}

interface LogPagerProps {
  state: TableState<LogsSearch>;
  rowCount: number;
  total: TotalCount | null;
}

function LogPager({ state, ...props }: LogPagerProps) {
  const queryClient = useQueryClient();
  return (
    <OffsetPager
      state={state}
      usualSize={logsPageSize}
      onPrefetch={(page) => void queryClient.prefetchQuery(logsQuery({ ...state.search, page }))}
      note={state.search.sort === undefined ? null : ' · sorted within this page'}
      {...props}
    />
  );
}
