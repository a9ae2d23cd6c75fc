import { Button, NativeSelect } from '@mantine/core';
import { type Task, taskCategories, taskDifficulties } from '@sluice/contract';
import { ActiveFilter } from '../../components/data-table/active-filter.tsx';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { ExportButton } from '../../components/data-table/export-button.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { StatStrip } from '../../components/ui/stat-strip.tsx';
import { countByStatus } from '../../lib/active-status.ts';
import { formatLabel } from '../../lib/format-label.ts';
import styles from './task-tools.module.css';
import { hasTaskFilters, noTaskFilters, type TasksSearch } from './tasks-search.ts';

/** How many tasks there are, and how many of them take requests. */
export function TaskFigures({ tasks }: { tasks: readonly Task[] | undefined }) {
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
          <Choice
            label="Category"
            everything="All categories"
            options={taskCategories}
            value={search.category}
            onChoose={(category) => change({ category })}
          />
          <Choice
            label="Difficulty"
            everything="All difficulties"
            options={taskDifficulties}
            value={search.difficulty}
            onChoose={(difficulty) => change({ difficulty })}
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

interface ChoiceProps<Name extends string> {
  label: string;
  /** What it reads when nothing is chosen. */
  everything: string;
  options: readonly Name[];
  value: Name | undefined;
  onChoose: (value: Name | undefined) => void;
}

function Choice<Name extends string>({ label, everything, options, value, onChoose }: ChoiceProps<Name>) {
  return (
    <NativeSelect
      className={styles.choice}
      aria-label={label}
      data={[
        { value: '', label: everything },
        ...options.map((name) => ({ value: String(name), label: formatLabel(name) })),
      ]}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChoose(options.find((name) => name === currentTarget.value))}
    />
  );
}
