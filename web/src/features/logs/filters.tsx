import { Button } from '@mantine/core';
import { admittedLogs, logStatuses } from '@sluice/contract';
import type { ReactNode } from 'react';
import {
  ChoiceFilter,
  DayFilter,
  FilterBar,
  FilterHint,
  FilterTools,
  TextFilter,
} from '../../components/data-table/filter-bar.tsx';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import { LogNarrowings } from './narrowings.tsx';
import { hasLogFilters, type LogsSearch, noLogFilters } from './search.ts';
import { logStatusName } from './status.tsx';

interface LogFiltersProps {
  state: TableState<LogsSearch>;
  users: readonly { id: number; name: string; email: string }[];
  /** The distinct models of the requests loaded. */
  models: readonly string[];
  /** More tools at the end of the line. */
  children: ReactNode;
}

export function LogFilters({ state, users, models, children }: LogFiltersProps) {
  const { search, change } = state;
  const { user, model, status, start, end } = search;
  const isHalfDated = (start === undefined) !== (end === undefined);
  return (
    <FilterBar>
      <TextFilter state={state} label="Search prompts and responses" placeholder="Search" />
      <ChoiceFilter
        label="User"
        everything="All Users"
        value={user}
        options={users.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
        onChoose={(value) => change({ user: Number(value) || undefined })}
      />
      <ChoiceFilter
        label="Model"
        everything="All Models"
        value={model}
        options={models.map((name) => ({ value: name, label: name }))}
        onChoose={(value) => change({ model: value })}
      />
      <ChoiceFilter
        label="Status"
        everything="All Statuses"
        value={status}
        options={statusOptions}
        onChoose={(value) => change({ status: statusOptions.find((one) => one.value === value)?.value })}
      />
      <DayFilter label="Start Date" value={start} max={end} onChoose={(day) => change({ start: day })} />
      <DayFilter label="End Date" value={end} min={start} onChoose={(day) => change({ end: day })} />
      <Button variant="default" disabled={!hasLogFilters(search)} onClick={() => change(noLogFilters)}>
        Clear Filters
      </Button>
      <FilterTools>{children}</FilterTools>
      <LogNarrowings state={state} />
      <FilterHint>
        {isHalfDated &&
          `Choose the ${start === undefined ? 'start' : 'end'} date too: date filtering needs both.`}
      </FilterHint>
    </FilterBar>
  );
}

const statusOptions = [
  ...logStatuses.map((name) => ({ value: name, label: logStatusName(name) })),
  { value: admittedLogs, label: 'All but refused' },
];
