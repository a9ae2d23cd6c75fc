import { Button } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { UserTask } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { useMemo } from 'react';
import { findByText } from '#components/data-table/column.ts';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { writeCsv } from '#components/data-table/export-button.tsx';
import { ChoiceFilter, DayFilter, FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import type { RowAction } from '#components/data-table/row-actions.tsx';
import { type DataTableModel, useDataTable } from '#components/data-table/use-data-table.ts';
import { type TableState, useTableState } from '#components/data-table/use-table-state.ts';
import { SummaryIcon } from '#components/ui/action-icons.ts';
import { PageHeader } from '#components/ui/page-header.tsx';
import { RefreshButton } from '#components/ui/refresh-button.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { downloadCsv } from '#lib/download-file.ts';
import { ownDay } from '#lib/format-day.ts';
import { formatLabel } from '#lib/format-label.ts';
import { mayAdminister } from '#lib/home-path.ts';
import { lazyFile, lazyPart, usePreload } from '#lib/lazy-part.tsx';
import { describeNoTasks, noTasksTitle } from '#lib/no-tasks.ts';
import { currentUserQuery } from '#lib/session.ts';
import { userTasksQuery as taskHistoryQuery } from '#lib/user-tasks.ts';
import { taskHistoryColumns } from './columns.tsx';
import { historyCategories, historyStatuses, type TaskHistorySearch, taskHistorySearch } from './search.ts';

interface HistoryToolsProps {
  model: DataTableModel<UserTask>;
  state: TableState<TaskHistorySearch>;
}

const labeled = (values: readonly string[]) => values.map((value) => ({ value, label: formatLabel(value) }));

function HistoryTools({ model, state }: HistoryToolsProps) {
  return (
    <ListTools
      search={<FilterField state={model.state} label="Search tasks" placeholder="Search tasks..." />}
      filters={<Filters state={state} />}
      choices={<ColumnChooser model={model} />}
    />
  );
}

function Filters({ state: { search, change } }: Pick<HistoryToolsProps, 'state'>) {
  const { category, status, from, to } = search;
  return (
    <>
      <ChoiceFilter
        label="Category"
        isLabelHidden
        everything="All categories"
        options={labeled(historyCategories)}
        value={category}
        onChoose={(chosen) => change({ category: historyCategories.find((one) => one === chosen) })}
      />
      <ChoiceFilter
        label="Status"
        isLabelHidden
        everything="All statuses"
        options={labeled(historyStatuses)}
        value={status}
        onChoose={(chosen) => change({ status: historyStatuses.find((one) => one === chosen) })}
      />
      <DayFilter label="From" value={from} max={to} onChoose={(day) => change({ from: day })} />
      <DayFilter
        label="To"
        value={to}
        min={from}
        error={from && to && from > to ? 'The end date must not be before the start date' : undefined}
        onChoose={(day) => change({ to: day })}
      />
    </>
  );
}

function ExportTasksButton({ model }: { model: DataTableModel<UserTask> }) {
  const save = () => downloadCsv(`my-tasks-${ownDay(Date.now())}.csv`, writeCsv(model));
  return (
    <Button
      variant="default"
      leftSection={<Download size={14} strokeWidth={1.5} aria-hidden />}
      disabled={!model.rows?.length}
      onClick={save}
    >
      Export CSV
    </Button>
  );
}

export function TaskHistoryScreen() {
  useDocumentTitle('Task History · Sluice');
  const answer = useQuery(taskHistoryQuery);
  const { data: tasks } = answer;
  const { data: viewer } = useQuery(currentUserQuery);
  const mayAssign = viewer != null && mayAdminister(viewer);
  const state = useTableState(taskHistorySearch);
  const { search, change } = state;
  const model = useHistory(tasks, state);
  const isNarrowed = Object.keys(everything).some((name) => Reflect.get(search, name) !== undefined);
  const opened = tasks?.find(({ id }) => id === search.open);
  usePreload(loadOverlays);
  return (
    <>
      <PageHeader
        title="Task History"
        subtitle="All tasks that you have been assigned"
        actions={
          <>
            <RefreshButton isBusy={answer.isFetching} onRefresh={() => void answer.refetch()} />
            <ExportTasksButton model={model} />
          </>
        }
      />
      <HistoryTools model={model} state={state} />
      <ListView
        model={model}
        label="Task history"
        loadingText="Loading tasks..."
        emptyText={isNarrowed ? 'No tasks found' : `${noTasksTitle}. ${describeNoTasks(mayAssign)}`}
        emptyAction={
          isNarrowed ? <ShowAll onClick={() => change(everything)} /> : mayAssign && <ManageTasks />
        }
        failure={describeFailure(answer, 'Unknown error', 'Error loading request history')}
        actions={useHistoryActions(change)}
        onOpen={({ id }) => change({ open: id })}
        nameOf={({ task_title }) => task_title}
        isPage
      />
      {opened && <TaskDialog task={opened} onClose={() => change({ open: undefined })} />}
    </>
  );
}

function useHistory(tasks: readonly UserTask[] | undefined, state: TableState<TaskHistorySearch>) {
  const { filter, category, status, from, to } = state.search;
  const rows = useMemo(
    () => tasks && findTasks(tasks, { filter, category, status, from, to }),
    [tasks, filter, category, status, from, to],
  );
  return useDataTable({ columns: taskHistoryColumns, rows, rowKey: taskKey, state, filteredBy: 'caller' });
}

function ManageTasks() {
  return (
    <Button component={Link} to="/admin/tasks" variant="default">
      Open Task Management
    </Button>
  );
}

function ShowAll({ onClick }: { onClick: () => void }) {
  return (
    <Button variant="default" onClick={onClick}>
      Show all tasks
    </Button>
  );
}

const taskKey = ({ id }: UserTask) => id;
const everything = {
  filter: undefined,
  category: undefined,
  status: undefined,
  from: undefined,
  to: undefined,
};

/** Loads the dialogs separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const TaskDialog = lazyPart(loadOverlays, 'TaskDialog');

function useHistoryActions(change: (search: { open: number }) => void): readonly RowAction<UserTask>[] {
  return useMemo(
    () => [{ name: 'Details', icon: SummaryIcon, isFrequent: true, run: ({ id }) => change({ open: id }) }],
    [change],
  );
}

/** Days are in the user's time zone, like the displayed dates. */
function findTasks(
  tasks: readonly UserTask[],
  { filter, category, status, from, to }: TaskHistorySearch,
): readonly UserTask[] {
  const named = findByText(tasks, String(filter ?? ''), (task) => [task.task_title, task.task_description]);
  return named.filter((task) => {
    const day = ownDay(Date.parse(task.assigned_at));
    return (
      (category === undefined || task.task_category === category) &&
      (status === undefined || task.status === status) &&
      (from === undefined || day >= from) &&
      (to === undefined || day <= to)
    );
  });
}
