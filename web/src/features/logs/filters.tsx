import { Button } from '@mantine/core';
import { admittedLogs, intentNames, logQueryFields, logStatuses, parseLogQuery } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import {
  ChoiceFilter,
  DayFilter,
  FilterBar,
  FilterHint,
  FilterTools,
  MoreFilters,
  TextFilter,
} from '#components/data-table/filter-bar.tsx';
import type { TableState } from '#components/data-table/use-table-state.ts';
import { isBuiltInProvider, providerNameOf, providerRegistryQuery } from '#lib/provider-registry.ts';
import type { UsageChoices } from '#lib/usage-choices.ts';
import { LogChips } from './chips.tsx';
import styles from './filters.module.css';
import {
  findLineProblem,
  isReversed,
  type LineProblem,
  lineOf,
  readTimeRange,
  timePresets,
  withTimeRange,
} from './query-line.ts';
import { hasLogFilters, type LogsSearch, noLogFilters } from './search.ts';
import { logStatusName } from './status.tsx';

/**
 * Suggests completions of the query line: fields that start with its last word, or values of the field before the
 * cursor.
 * @param models models of the providers and the request log
 */
export function suggestLines(
  line: string,
  models: readonly string[],
  names: Partial<Pick<UsageChoices, 'teams' | 'tasks' | 'providers'>> & {
    users?: UsageChoices['teams'];
  } = {},
): readonly string[] {
  const start = line.slice(0, line.lastIndexOf(' ') + 1);
  const word = line.slice(start.length);
  if (isInQuotes(line)) return [];
  const field = [...logQueryFields.keys()].find((name) => word.startsWith(name));
  if (field === undefined) {
    return [...logQueryFields.keys()].filter((name) => name.startsWith(word)).map((name) => start + name);
  }
  const typed = word.slice(field.length).toLowerCase();
  const values = valuesOf(field, models, names).filter((value) => value.toLowerCase().startsWith(typed));
  return values.map((value) => `${start}${field}${/\s/.test(value) ? `"${value}"` : value} `);
}

const isInQuotes = (line: string) => line.replaceAll(/\\./g, '').split('"').length % 2 === 0;

function valuesOf(
  field: string,
  models: readonly string[],
  { users = [], teams = [], tasks = [], providers = [] }: Parameters<typeof suggestLines>[2] & object,
): readonly string[] {
  const values: Record<string, readonly string[]> = {
    'status:': [...logStatuses, admittedLogs],
    'intent:': intentNames,
    'model:': models,
    'user:': users.map(({ name }) => name),
    'team:': teams.map(({ name }) => name),
    'task:': tasks.map(({ name }) => name),
    'provider:': providers.map(({ key }) => key),
    'since:': ['1h', '24h', '7d', '30d', 'today', 'yesterday', 'month'],
    'until:': ['1h', '24h', '7d', 'yesterday'],
  };
  return values[field] ?? [];
}

interface LogFiltersProps {
  choices: UsageChoices;
  state: TableState<LogsSearch>;
  users: readonly { id: number; name: string; email: string }[];
  models: readonly string[];
  timeZone: string;
  children: ReactNode;
}

export function LogFilters({ state, users, choices, models: seen, timeZone, children }: LogFiltersProps) {
  const models = [...new Set([...choices.models, ...seen])].toSorted();
  const { search, change } = state;
  const problem = findLineProblem(search);
  return (
    <FilterBar>
      <div className={styles.query}>
        <TextFilter
          state={state}
          label="Search prompts and responses"
          placeholder="status:error team:research user:ann cost>0.01, or words"
          suggest={(text) => suggestLines(text, models, { ...choices, users })}
          error={problem && <Problem problem={problem} line={lineOf(search)} />}
        />
        <FilterTools>{children}</FilterTools>
      </div>
      <MoreFilters>
        <LogChoiceFilters state={state} users={users} choices={choices} models={models} />
        <TimeFilter state={state} />
        <LogDays state={state} />
      </MoreFilters>
      <Button variant="default" disabled={!hasLogFilters(search)} onClick={() => change(noLogFilters)}>
        Clear Filters
      </Button>
      <LogChips state={state} users={users} choices={choices} />
      <FilterHint>
        <HalfRange state={state} />
        Dates and times are in {timeZone}.
      </FilterHint>
    </FilterBar>
  );
}

type LogChoiceFiltersProps = Pick<LogFiltersProps, 'state' | 'users' | 'choices' | 'models'>;

function LogChoiceFilters({ state, users, choices, models }: LogChoiceFiltersProps) {
  const { search, change } = state;
  const { user, model, status } = search;
  const { filters: typed } = parseLogQuery(lineOf(search));
  const matching = (text: string | undefined, otherwise: string) => (text ? `Matching “${text}”` : otherwise);
  return (
    <>
      <ChoiceFilter
        label="User"
        everything={matching(typed.user, 'All Users')}
        value={user}
        options={users.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
        onChoose={(value) => change({ user: Number(value) || undefined })}
      />
      <ChoiceFilter
        label="Model"
        everything="All Models"
        value={model ?? typed.model}
        options={models.map((name) => ({ value: name, label: name }))}
        onChoose={(value) => change({ model: value })}
      />
      <ChoiceFilter
        label="Team"
        everything={matching(typed.team, 'All teams')}
        value={search.team}
        options={choices.teams.map(({ id, name }) => ({ value: id, label: name }))}
        onChoose={(value) => change({ team: Number(value) || undefined })}
      />
      <ChoiceFilter
        label="Task"
        everything={matching(typed.task, 'All tasks')}
        value={search.task}
        options={choices.tasks.map(({ id, name }) => ({ value: id, label: name }))}
        onChoose={(value) => change({ task: Number(value) || undefined })}
      />
      <ProviderFilter state={state} choices={choices} />
      <ChoiceFilter
        label="Status"
        everything="All statuses"
        value={status ?? typed.status}
        options={statusOptions}
        onChoose={(value) => change({ status: statusOptions.find((one) => one.value === value)?.value })}
      />
    </>
  );
}

/** Loads the registry only if the name of the selected provider is unknown. */
function ProviderFilter({ state: { search, change }, choices }: Pick<LogFiltersProps, 'state' | 'choices'>) {
  const provider = search.provider ?? parseLogQuery(lineOf(search)).filters.provider_key;
  const isKnown = provider === undefined || isBuiltInProvider(provider);
  useQuery({ ...providerRegistryQuery, enabled: !isKnown, staleTime: Infinity });
  const isListed = choices.providers.some(({ key }) => key === provider);
  const listed =
    provider === undefined || isListed
      ? choices.providers
      : [...choices.providers, { key: provider, name: providerNameOf(provider) }];
  return (
    <ChoiceFilter
      label="Provider"
      everything="All providers"
      value={provider}
      options={listed.map(({ key, name }) => ({ value: key, label: name }))}
      onChoose={(value) => change({ provider: value })}
    />
  );
}

function Problem({ problem: { message, place }, line }: { problem: LineProblem; line: string }) {
  return (
    <>
      {place && (
        <code className={styles.wrong}>
          {line.slice(0, place.start)}
          <mark>{line.slice(place.start, place.end)}</mark>
          {line.slice(place.end)}
        </code>
      )}
      {message}
    </>
  );
}

/** A selected preset is written to the query line. */
function TimeFilter({ state: { search, change } }: { state: TableState<LogsSearch> }) {
  return (
    <ChoiceFilter
      label="Time"
      everything="Any time"
      value={readTimeRange(search)}
      options={timePresets}
      onChoose={(value) =>
        change(withTimeRange(search, timePresets.find((preset) => preset.value === value)?.range ?? {}))
      }
    />
  );
}

function HalfRange({ state: { search, change } }: { state: TableState<LogsSearch> }) {
  const { start, end } = search;
  if ((start === undefined) === (end === undefined)) return null;
  const range = start === undefined ? { until: end } : { since: start };
  return (
    <>
      Choose the {start === undefined ? 'start' : 'end'} date too. Filtering by date requires both.{' '}
      <Button variant="subtle" size="compact-sm" onClick={() => change(withTimeRange(search, range))}>
        {start === undefined ? `Show all until ${end}` : `Show all since ${start}`}
      </Button>{' '}
    </>
  );
}

/** Neither date limits the other, so that a reversed range is reported and can be corrected. */
function LogDays({ state: { search, change } }: { state: TableState<LogsSearch> }) {
  const { start, end } = search;
  return (
    <div className={styles.days}>
      <DayFilter label="Start Date" value={start} onChoose={(day) => change({ start: day })} />
      <DayFilter
        label="End Date"
        value={end}
        error={isReversed(search) ? 'Must not be before the start date' : undefined}
        onChoose={(day) => change({ end: day })}
      />
    </div>
  );
}

const statusOptions = [
  ...logStatuses.map((name) => ({ value: name, label: logStatusName(name) })),
  { value: admittedLogs, label: 'All except refused' },
];
