import { Button } from '@mantine/core';
import { type Task, taskCategories, taskDifficulties } from '@sluice/contract';
import { ActiveFilter } from '../../components/data-table/active-filter.tsx';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportButton } from '../../components/data-table/export-button.tsx';
import { ChoiceFilter } from '../../components/data-table/filter-bar.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { countByStatus } from '../../lib/active-status.ts';
import { optionsOf } from './find.ts';
import { hasTaskFilters, noTaskFilters, type TasksSearch } from './search.ts';

/** Number of tasks and of active ones. */
export function TaskStats({ tasks }: { tasks: readonly Task[] | undefined }) {
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
}

export function TaskTools({ model, state: { search, change }, state }: TaskToolsProps) {
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
    />
  );
}
