import { Button } from '@mantine/core';
import type { LogEntry, User } from '@sluice/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { NewRowsBar } from '../../components/data-table/new-rows-bar.tsx';
import { OffsetPager } from '../../components/data-table/pager.tsx';
import type { TotalCount } from '../../components/data-table/total-count.ts';
import { useDataTable } from '../../components/data-table/use-data-table.ts';
import { type TableState, useTableState } from '../../components/data-table/use-table-state.ts';
import { PageHeader } from '../../components/ui/page-header.tsx';
import { describeFailure } from '../../lib/describe-failure.ts';
import { lazyPart } from '../../lib/lazy-part.tsx';
import { usePreload } from '../../lib/use-preload.ts';
import { logColumnsIn } from './columns.tsx';
import { LogFilters } from './filters.tsx';
import { LogList } from './list.tsx';
import { loadOverlays } from './load-overlays.ts';
import { type LogPace, logsQuery } from './queries.ts';
import { type LogsSearch, logsPageSize, logsSearch } from './search.ts';
import { LogTools } from './tools.tsx';
import { useLoadedModels } from './use-loaded-models.ts';
import { ViewsButton } from './views-button.tsx';

interface LogsScreenProps {
  /** Users to filter by. */
  users: readonly User[];
  /** The tenant's time zone. */
  timeZone: string;
}

export function LogsScreen({ users, timeZone }: LogsScreenProps) {
  const state = useTableState(logsSearch);
  const { search } = state;
  const [pace, setPace] = useState<LogPace>('usual');
  const [isFaceted, setFaceted] = useState(false);
  const { answer, model, models, total } = useLogs(state, pace, timeZone);
  usePreload(loadOverlays);

  const refresh = () => {
    model.arrivals.show();
    void answer.refetch();
  };
  const readAtMs = answer.data && answer.dataUpdatedAt;
  const tools = { pace, onPace: setPace, readAtMs, timeZone, onRefresh: refresh, search };
  return (
    <>
      <PageHeader {...heading} actions={<LogTools {...tools} />} />
      <LogFilters state={state} users={users} models={models} timeZone={timeZone}>
        <Button variant="default" aria-expanded={isFaceted} onClick={() => setFaceted(!isFaceted)}>
          Facets
        </Button>
        <ViewsButton search={search} />
        <ColumnChooser model={model} />
      </LogFilters>
      {isFaceted && <LogFacets state={state} />}
      <NewRowsBar arrivals={model.arrivals} />
      <LogList
        model={model}
        state={state}
        total={total}
        isStale={answer.isPlaceholderData}
        failure={describeFailure(answer, 'Unknown error', 'Error loading logs')}
      />
      {model.rows && <LogPager state={state} rowCount={model.rows.length} total={total} />}
      {search.open !== undefined && <LogDrawer model={model} id={String(search.open)} timeZone={timeZone} />}
    </>
  );
}

/** Loads the page named in the URL and returns the list model. */
function useLogs(state: TableState<LogsSearch>, pace: LogPace, timeZone: string) {
  const answer = useQuery(logsQuery(state.search, pace));
  const { logs: rows, total = null, question } = answer.data ?? {};
  const columns = useMemo(() => logColumnsIn(timeZone), [timeZone]);
  const model = useDataTable({ columns, rows, rowKey, state, filteredBy: 'caller', question });
  const models = useLoadedModels(rows);
  return { answer, model, models, total };
}

const heading = {
  title: 'System Logs',
  subtitle: 'Monitor API requests, responses, and system activity',
};

const rowKey = ({ id }: LogEntry) => id;

const LogDrawer = lazyPart(loadOverlays, 'LogDrawer');
const LogFacets = lazyPart(loadOverlays, 'LogFacets');

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
