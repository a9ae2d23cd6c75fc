import { Button } from '@mantine/core';
import type { UserTask } from '@sluice/contract';
import { Download } from 'lucide-react';
import { ColumnChooser } from '../../components/data-table/column-chooser.tsx';
import { writeCsv } from '../../components/data-table/export-button.tsx';
import { ChoiceFilter, DayFilter } from '../../components/data-table/filter-bar.tsx';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import { ListTools } from '../../components/data-table/list-tools.tsx';
import type { DataTableModel } from '../../components/data-table/use-data-table.ts';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { downloadCsv } from '../../lib/csv-download.ts';
import { ownDay } from '../../lib/format-day.ts';
import { formatLabel } from '../../lib/format-label.ts';
import { historyCategories, historyStatuses, type TaskHistorySearch } from './search.ts';

interface HistoryToolsProps {
  model: DataTableModel<UserTask>;
  state: TableState<TaskHistorySearch>;
}

const labelled = (values: readonly string[]) => values.map((value) => ({ value, label: formatLabel(value) }));

export function HistoryTools({ model, state }: HistoryToolsProps) {
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
        everything="All Categories"
        options={labelled(historyCategories)}
        value={category}
        onChoose={(chosen) => change({ category: historyCategories.find((one) => one === chosen) })}
      />
      <ChoiceFilter
        label="Status"
        isLabelHidden
        everything="All Statuses"
        options={labelled(historyStatuses)}
        value={status}
        onChoose={(chosen) => change({ status: historyStatuses.find((one) => one === chosen) })}
      />
      <DayFilter label="From" value={from} max={to} onChoose={(day) => change({ from: day })} />
      <DayFilter
        label="To"
        value={to}
        min={from}
        error={from && to && from > to ? 'The end lies before the start' : undefined}
        onChoose={(day) => change({ to: day })}
      />
    </>
  );
}

/** Button that exports the filtered rows with the visible columns. */
export function ExportTasksButton({ model }: { model: DataTableModel<UserTask> }) {
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
