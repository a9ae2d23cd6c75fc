import { Button, Checkbox } from '@mantine/core';
import { type Task, taskCategories, taskDifficulties } from '@sluice/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useCallback, useMemo } from 'react';
import { ActiveFilter, countByStatus } from '#components/data-table/active-status.tsx';
import { ColumnChooser } from '#components/data-table/column-chooser.tsx';
import { ExportButton } from '#components/data-table/export-button.tsx';
import { ChoiceFilter, FilterField, ListTools } from '#components/data-table/filter-bar.tsx';
import { ListView } from '#components/data-table/list-view.tsx';
import { SpendTotals } from '#components/data-table/spend-totals.tsx';
import { useAddParameter } from '#components/data-table/use-add-parameter.ts';
import { type DataTableModel, useDataTable } from '#components/data-table/use-data-table.ts';
import { type TableState, useTableState } from '#components/data-table/use-table-state.ts';
import { PageHeader } from '#components/ui/page-header.tsx';
import { RefreshButton } from '#components/ui/refresh-button.tsx';
import { StatStrip } from '#components/ui/stat-strip.tsx';
import { describeFailure } from '#lib/describe-failure.ts';
import { lazyFile, lazyPart, useEverTrue, usePreload } from '#lib/lazy-part.tsx';
import { type TaskActions, useTaskActions } from './actions.ts';
import { tasksColumns } from './columns.tsx';
import { filterListedTasks, filterTasks, optionsOf } from './filter-tasks.ts';
import { tasksQuery } from './queries.ts';
import { hasTaskFilters, noTaskFilters, type TasksSearch, tasksSearch } from './search.ts';

export function TasksScreen() {
  const answer = useQuery(tasksQuery);
  const { data: tasks, isFetching } = answer;
  const queryClient = useQueryClient();
  const state = useTableState(tasksSearch);
  const { open } = state.search;
  const { change } = state;
  const viewAssignments = useCallback(({ id }: Task) => change({ open: id }), [change]);
  const actions = useTaskActions(viewAssignments);
  useAddParameter(state, actions.open);
  const rows = useMemo(() => tasks && filterTasks(tasks, state.search), [tasks, state.search]);
  const model = useDataTable({ columns: tasksColumns, rows, rowKey: taskKey, state, filteredBy: 'caller' });
  // Also refetches dependent data, such as the assignments of the open task.
  const refresh = () => void queryClient.invalidateQueries(tasksQuery);
  const create = <Button onClick={() => actions.open('create')}>Create Task</Button>;
  const isAnythingOpened = useEverTrue(actions.isOpen || open !== undefined);
  usePreload(loadOverlays);
  const failure = describeFailure(answer, 'Unknown error', 'Error loading tasks');
  const isBroken = failure !== null && tasks === undefined;
  return (
    <>
      <PageHeader
        title="Task Management"
        subtitle="Define tasks, assign users to them, and set how many tokens each user may use"
        actions={
          <>
            <RefreshButton isBusy={isFetching} onRefresh={refresh} />
            {create}
          </>
        }
      />
      {!isBroken && <TaskStats tasks={tasks && filterListedTasks(tasks, state.search)} />}
      {!isBroken && (
        <TaskTools model={model} state={state} totals={<SpendTotals rows={rows} noun="task" />} />
      )}
      <TaskList
        model={model}
        state={state}
        failure={failure}
        actions={actions}
        onOpen={viewAssignments}
        create={create}
      />
      {isAnythingOpened && <TaskOverlays model={model} tasks={tasks} actions={actions} />}
    </>
  );
}

/** Loads the dialogs separately, so that the list appears first. */
const loadOverlays = lazyFile(() => import('./overlays.tsx'));
const TaskOverlays = lazyPart(loadOverlays, 'TaskOverlays');

const taskKey = ({ id }: Task) => id;

interface TaskListProps {
  model: DataTableModel<Task>;
  state: TableState<TasksSearch>;
  failure: ReturnType<typeof describeFailure>;
  actions: TaskActions;
  onOpen: (task: Task) => void;
  create: ReactNode;
}

function TaskList({ model, state: { search, change }, failure, actions, onOpen, create }: TaskListProps) {
  const isNarrowed = hasTaskFilters(search);
  return (
    <ListView
      model={model}
      label="Tasks"
      loadingText="Loading tasks..."
      emptyText="No tasks found. Create your first task to get started."
      emptyAction={
        isNarrowed ? (
          <Button variant="default" onClick={() => change(noTaskFilters)}>
            Clear Filters
          </Button>
        ) : (
          create
        )
      }
      failure={failure}
      actions={actions.rowActions}
      nameOf={({ title }) => title}
      onOpen={onOpen}
    />
  );
}

function TaskStats({ tasks }: { tasks: readonly Task[] | undefined }) {
  const counts = tasks && countByStatus(tasks);
  return (
    <StatStrip
      label="Tasks by status"
      stats={[
        { label: 'Total', value: counts?.total },
        { label: 'Active', value: counts?.active },
        { label: 'Inactive', value: counts?.inactive },
      ]}
    />
  );
}

interface TaskToolsProps {
  model: DataTableModel<Task>;
  state: TableState<TasksSearch>;
  totals: ReactNode;
}

function TaskTools({ model, state: { search, change }, state, totals }: TaskToolsProps) {
  return (
    <ListTools
      search={
        <FilterField state={state} label="Search tasks" placeholder="Search by title or description..." />
      }
      filters={
        <>
          <ChoiceFilter
            label="Category"
            isLabelHidden
            everything="All categories"
            options={optionsOf(taskCategories)}
            value={search.category}
            onChoose={(chosen) => change({ category: taskCategories.find((name) => name === chosen) })}
          />
          <ChoiceFilter
            label="Difficulty"
            isLabelHidden
            everything="All difficulties"
            options={optionsOf(taskDifficulties)}
            value={search.difficulty}
            onChoose={(chosen) => change({ difficulty: taskDifficulties.find((name) => name === chosen) })}
          />
          <Checkbox
            label="API access tasks"
            checked={search.api ?? false}
            onChange={({ currentTarget }) => change({ api: currentTarget.checked || undefined })}
          />
          <ActiveFilter value={search.status} onChoose={(status) => change({ status })} />
          <Button variant="default" disabled={!hasTaskFilters(search)} onClick={() => change(noTaskFilters)}>
            Clear Filters
          </Button>
        </>
      }
      choices={
        <>
          <ColumnChooser model={model} />
          <ExportButton model={model} noun="tasks" />
        </>
      }
      totals={totals}
    />
  );
}
