import { Button, NativeSelect, TextInput } from '@mantine/core';
import { logStatuses } from '@sluice/contract';
import type { ReactNode } from 'react';
import { FilterField } from '../../components/data-table/filter-field.tsx';
import type { TableState } from '../../components/data-table/use-table-state.ts';
import styles from './log-filters.module.css';
import { logStatusName } from './log-status.tsx';
import { hasLogFilters, type LogsSearch, noLogFilters } from './logs-search.ts';

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
    <search className={styles.filters} aria-label="Filters">
      <FilterField
        state={state}
        className={styles.search}
        label="Search prompts and responses"
        placeholder="Search"
      />
      <Choice
        label="User"
        everything="All Users"
        value={user}
        options={users.map(({ id, name, email }) => ({ value: String(id), label: `${name} (${email})` }))}
        onChoose={(value) => change({ user: (value && Number(value)) || undefined })}
      />
      <Choice
        label="Model"
        everything="All Models"
        value={model}
        options={models.map((name) => ({ value: name, label: name }))}
        onChoose={(value) => change({ model: value })}
      />
      <Choice
        label="Status"
        everything="All Statuses"
        value={status}
        options={logStatuses.map((name) => ({ value: name, label: logStatusName(name) }))}
        onChoose={(value) => change({ status: logStatuses.find((name) => name === value) })}
      />
      <Day label="Start Date" value={start} max={end} onChoose={(day) => change({ start: day })} />
      <Day label="End Date" value={end} min={start} onChoose={(day) => change({ end: day })} />
      <Button variant="default" disabled={!hasLogFilters(search)} onClick={() => change(noLogFilters)}>
        Clear Filters
      </Button>
      {children}
      <p role="status" className={styles.hint}>
        {isHalfDated && `Choose the ${start === undefined ? 'start' : 'end'} date too: filtering needs both.`}
      </p>
    </search>
  );
}

interface ChoiceProps {
  label: string;
  /** What it reads when nothing is chosen. */
  everything: string;
  value: string | number | undefined;
  options: readonly { value: string; label: string }[];
  onChoose: (value: string | undefined) => void;
}

function Choice({ label, everything, value, options, onChoose }: ChoiceProps) {
  const chosen = value === undefined ? '' : String(value);
  const isListed = chosen === '' || options.some((option) => option.value === chosen);
  const missing = isListed ? [] : [{ value: chosen, label: `${label} ${chosen}` }];
  return (
    <NativeSelect
      className={styles.choice}
      label={label}
      data={[{ value: '', label: everything }, ...missing, ...options]}
      value={chosen}
      onChange={(event) => onChoose(event.currentTarget.value || undefined)}
    />
  );
}

interface DayProps {
  label: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChoose: (day: string | undefined) => void;
}

function Day({ label, value, min, max, onChoose }: DayProps) {
  return (
    <TextInput
      className={styles.day}
      type="date"
      label={label}
      value={value ?? ''}
      min={min}
      max={max}
      onChange={(event) => onChoose(event.currentTarget.value || undefined)}
    />
  );
}
