import { Button } from '@mantine/core';
import type { LogEntry } from '@sluice/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Bookmark } from 'lucide-react';
import { useMemo, useState } from 'react';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ExportDialogButton } from '#components/data-table/export-button.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import { NewRowsBar } from '#components/data-table/new-rows-bar.tsx';
import { OffsetPager, type TotalCount } from '#components/data-table/pager.tsx';
import type { ListViewProps } from '#components/data-table/table-body.tsx';
import { countRowsBefore } from '#components/data-table/table-search.ts';
import { type DataTableModel, useDataTable } from '#components/data-table/use-data-table.ts';
import { type TableState, useTableState } from '#components/data-table/use-table-state.ts';
import { useLazyOpener } from '#components/ui/lazy-opener.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { RefreshButton } from '#components/ui/refresh-button.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { usersQuery } from '#features/users/index.ts';
import { describeFailure } from '#lib/describe-failure.ts';
import { formatClock } from '#lib/format-time.ts';
import { lazyFile, lazyPart, usePreload } from '#lib/lazy-part.tsx';
import type { UsageChoices } from '#lib/usage-choices.ts';
import { logColumnsIn } from './columns.tsx';
import { LogFilters } from './filters.tsx';
import { type LogPace, logsExport, logsQuery, totalsQuery } from './queries.ts';
import { findFilterProblem, settleFilters } from './query-line.ts';
import styles from './screen.module.css';
import { hasLogFilters, type LogsSearch, logsPageSize, logsSearch, noLogFilters } from './search.ts';
import { TotalsLine } from './totals-line.tsx';

/** Loads the dialogs and row details separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));

const LogDetail = lazyPart(loadOverlays, 'LogDetail');

interface LogListProps {
  model: DataTableModel<LogEntry>;
  state: TableState<LogsSearch>;
  total: TotalCount | null;
  isStale: boolean;
  failure: ListViewProps<LogEntry>['failure'];
}

function LogList({ model, state, total, isStale, failure }: LogListProps) {
  return (
    <ListView
      model={model}
      label="Requests"
      loadingText="Loading logs..."
      isStale={isStale}
      failure={failure}
      emptyText={findFilterProblem(state.search) ?? 'No logs found matching your filters.'}
      emptyAction={
        hasLogFilters(state.search) ? (
          <Button variant="default" onClick={() => state.change(noLogFilters)}>
            Clear Filters
          </Button>
        ) : (
          <Link to="/admin">Send a first request</Link>
        )
      }
      isSideways
      detail={(log) => <LogDetail listed={log} />}
      onOpen={(log) => state.change({ open: log.id })}
      nameOf={(log) => log.id}
      rowsBefore={countRowsBefore(state.search, logsPageSize)}
      total={total}
    />
  );
}

const LogViews = lazyPart(() => import('./views.tsx'), 'LogViews');

function ViewsButton({ search }: { search: LogsSearch }) {
  const { isUsed, buttonProps, opening } = useLazyOpener('dialog');
  return (
    <>
      <Button
        {...buttonProps}
        variant="default"
        leftSection={<Bookmark size={14} strokeWidth={1.5} aria-hidden />}
      >
        Views
      </Button>
      {isUsed && <LogViews opening={opening} search={search} />}
    </>
  );
}

const paces = [
  { value: 'usual', label: 'Every 10 s' },
  { value: 'live', label: 'Live' },
  { value: 'paused', label: 'Paused' },
] as const satisfies readonly { value: LogPace; label: string }[];

interface LogToolsProps {
  pace: LogPace;
  onPace: (pace: LogPace) => void;
  /** `undefined` until the rows of the current filters are loaded. */
  readAtMs: number | undefined;
  timeZone: string;
  onRefresh: () => void;
  search: LogsSearch;
  /** Whether the filters can be applied. Otherwise the export is disabled. */
  isReadable: boolean;
}

function LogTools({ pace, onPace, readAtMs, timeZone, onRefresh, search, isReadable }: LogToolsProps) {
  return (
    <>
      {readAtMs !== undefined && (
        <span className={`num ${styles.refreshed}`}>Refreshed {formatClock(readAtMs, timeZone)}</span>
      )}
      <SegmentedSwitch label="Refresh" options={paces} value={pace} onChange={onPace} />
      <RefreshButton onRefresh={onRefresh} />
      {isReadable && <ExportDialogButton content={logsExport(search)} />}
    </>
  );
}

interface LogsScreenProps {
  choices: UsageChoices;
  timeZone: string;
}

export function LogsScreen({ choices, timeZone }: LogsScreenProps) {
  const { data: users = [] } = useQuery(usersQuery);
  const state = useLogState();
  const { search } = state;
  const isReadable = findFilterProblem(search) === null;
  const [pace, setPace] = useState<LogPace>('usual');
  const [isFaceted, setFaceted] = useState(false);
  const { answer, model, models, total } = useLogs(state, pace, timeZone);
  const queryClient = useQueryClient();
  usePreload(loadOverlays);

  const refresh = () => {
    model.arrivals.show();
    if (!isReadable) return;
    void answer.refetch();
    void queryClient.invalidateQueries({ queryKey: totalsQuery(search, pace).queryKey });
  };
  // `dataUpdatedAt` is 0 while rows of other filters are shown as a placeholder.
  const readAtMs = answer.dataUpdatedAt || undefined;
  const tools = { isReadable, pace, onPace: setPace, readAtMs, timeZone, onRefresh: refresh, search };
  return (
    <>
      <PageHeader {...heading} actions={<LogTools {...tools} />} />
      <LogFilters state={state} users={users} choices={choices} models={models} timeZone={timeZone}>
        <Button variant="default" aria-expanded={isFaceted} onClick={() => setFaceted(!isFaceted)}>
          Facets
        </Button>
        <ViewsButton search={search} />
        <ColumnChooser model={model} />
      </LogFilters>
      {isFaceted && isReadable && <LogFacets state={state} />}
      {isReadable && <TotalsLine search={search} pace={pace} />}
      <NewRowsBar arrivals={model.arrivals} />
      <LogList
        model={model}
        state={state}
        total={total}
        isStale={isReadable && answer.isPlaceholderData}
        failure={describeFailure(answer, 'Unknown error', 'Error loading logs')}
      />
      {model.rows && (
        <LogPager state={state} rowCount={model.rows.length} total={total} lastId={model.lastId} />
      )}
      {search.open !== undefined && <LogDrawer model={model} id={String(search.open)} timeZone={timeZone} />}
    </>
  );
}

/** Changes keep the query line and the other filters consistent. */
function useLogState(): TableState<LogsSearch> {
  const state = useTableState(logsSearch);
  return useMemo(() => {
    const { search, change } = state;
    return { search, change: (changes, options) => change(settleFilters(search, changes), options) };
  }, [state]);
}

const noLogs: readonly LogEntry[] = [];
const unreadable = { logs: noLogs, total: null, question: 'unreadable' };

/** The list is empty if the filters cannot be applied. */
function useLogs(state: TableState<LogsSearch>, pace: LogPace, timeZone: string) {
  const isReadable = findFilterProblem(state.search) === null;
  const answer = useQuery({ ...logsQuery(state.search, pace), enabled: isReadable });
  const { logs: rows, total = null, question } = (isReadable ? answer.data : unreadable) ?? {};
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
  lastId: string | number | undefined;
}

function LogPager({ state, ...props }: LogPagerProps) {
  const queryClient = useQueryClient();
  return (
    <OffsetPager
      state={state}
      usualSize={logsPageSize}
      onPrefetch={(place) => void queryClient.prefetchQuery(logsQuery({ ...state.search, ...place }))}
      {...props}
    />
  );
}

/** Collects the models of all requests loaded so far, so that a filter by model does not remove other options. */
function useLoadedModels(logs: readonly LogEntry[] | undefined): readonly string[] {
  const [models, setModels] = useState<readonly string[]>([]);
  const added = new Set(logs?.flatMap(({ model }) => model ?? []).filter((model) => !models.includes(model)));
  if (added.size > 0) setModels([...models, ...added].toSorted());
  return models;
}
