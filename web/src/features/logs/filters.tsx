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
import { suggestLines } from './suggest-lines.ts';
import { findLineProblem } from './to-logs-query.ts';

interface LogFiltersProps {
  state: TableState<LogsSearch>;
  users: readonly { id: number; name: string; email: string }[];
  /** Distinct models of the loaded requests. */
  models: readonly string[];
  /** Time zone of the date filter. */
  timeZone: string;
  /** More tools at the end of the line. */
  children: ReactNode;
}

export function LogFilters({ state, users, models, timeZone, children }: LogFiltersProps) {
  const { search, change } = state;
  const { user, model, status } = search;
  return (
    <FilterBar>
      <TextFilter
        state={state}
        label="Search prompts and responses"
        placeholder="status:error model:gpt* user:ann cost>0.01, or words"
        suggest={(text) => suggestLines(text, models)}
        error={findLineProblem(search)}
      />
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
      <LogDays state={state} />
      <Button variant="default" disabled={!hasLogFilters(search)} onClick={() => change(noLogFilters)}>
        Clear Filters
      </Button>
      <FilterTools>{children}</FilterTools>
      <LogNarrowings state={state} />
      <FilterHint>
        {isHalfDated(search) &&
          `Choose the ${search.start === undefined ? 'start' : 'end'} date too: date filtering needs both. `}
        Dates and times are those of {timeZone}.
      </FilterHint>
    </FilterBar>
  );
}

/** First and last day. The fields do not limit each other, so that a reversed range is reported and can be corrected. */
function LogDays({ state: { search, change } }: { state: TableState<LogsSearch> }) {
  const { start, end } = search;
  const isReversed = start !== undefined && end !== undefined && end < start;
  return (
    <>
      <DayFilter label="Start Date" value={start} onChoose={(day) => change({ start: day })} />
      <DayFilter
        label="End Date"
        value={end}
        error={isReversed ? 'Lies before the start date' : undefined}
        onChoose={(day) => change({ end: day })}
      />
    </>
  );
}

const isHalfDated = ({ start, end }: LogsSearch) => (start === undefined) !== (end === undefined);

const statusOptions = [
  ...logStatuses.map((name) => ({ value: name, label: logStatusName(name) })),
  { value: admittedLogs, label: 'All but refused' },
];
