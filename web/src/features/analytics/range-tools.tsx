import { Button } from '@mantine/core';
import { formatLabel, type User } from '@sluice/contract';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import {
  ChoiceFilter,
  DayFilter,
  FilterBar,
  FilterBreak,
  FilterHint,
  MoreFilters,
} from '#components/data-table/filter-bar.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import { findMonths } from '#lib/format-day.ts';
import { usePreload } from '#lib/lazy-part.tsx';
import type { UsageChoices } from '#lib/usage-choices.ts';
import { findPeriodProblem, type Period, usedLabelsQuery } from './queries.ts';
import styles from './range-tools.module.css';
import { type AnalyticsSearch, presetDays } from './search.ts';

interface RangeToolsProps {
  search: AnalyticsSearch;
  period: Period;
  problem: string | null;
  today: string;
  users: readonly Pick<User, 'id' | 'name' | 'email'>[];
  choices: UsageChoices;
  onChange: (changes: Partial<AnalyticsSearch>) => void;
}

const monthPresets = [
  { value: 'thisMonth', label: 'This month' },
  { value: 'lastMonth', label: 'Last month' },
] as const;

const presets = presetDays.map((days) => ({ value: String(days), label: `${days} days` }));

export function RangeTools({ search, period, problem, today, onChange, ...lists }: RangeToolsProps) {
  const isDated = search.start !== undefined && search.end !== undefined;
  const months = findMonths(today);
  const isPeriod = ({ start, end }: Pick<Period, 'start' | 'end'>) =>
    period.start === start && period.end === end;
  const choosePreset = (value: string) => {
    const month = monthPresets.find((preset) => preset.value === value);
    if (month) onChange({ days: undefined, ...months[month.value] });
    else
      onChange({ days: presetDays.find((days) => String(days) === value), start: undefined, end: undefined });
  };
  const chosenMonth = monthPresets.find((preset) => isDated && isPeriod(months[preset.value]));
  /** Clearing a date returns to the preset period. */
  const chooseDay = (name: 'start' | 'end', day: string | undefined) => {
    const { start, end } = period;
    onChange(day === undefined ? { start: undefined, end: undefined } : { start, end, [name]: day });
  };
  return (
    <FilterBar>
      <div className={styles.presets}>
        <SegmentedSwitch
          label="Days"
          options={[...presets, ...monthPresets]}
          value={isDated ? (chosenMonth?.value ?? '') : String(period.days)}
          onChange={choosePreset}
        />
      </div>
      <DayFilter
        label="Start Date"
        value={period.start}
        max={period.end}
        onChoose={(day) => chooseDay('start', day)}
      />
      <DayFilter
        label="End Date"
        value={period.end}
        min={period.start}
        max={today}
        onChoose={(day) => chooseDay('end', day)}
      />
      <FilterBreak />
      <UsageFilterFields search={search} period={period} onChange={onChange} {...lists} />
      <KeyFilter id={search.key} onRemove={() => onChange({ key: undefined })} />
      <FilterHint>{problem}</FilterHint>
    </FilterBar>
  );
}

type UsageFilterFieldsProps = Pick<RangeToolsProps, 'search' | 'period' | 'users' | 'choices' | 'onChange'>;

function UsageFilterFields({ search, period, users, choices, onChange }: UsageFilterFieldsProps) {
  const { teams, tasks, models, providers } = choices;
  const toId = (value: string | undefined) => Number(value) || undefined;
  const { user, team, task, model, provider, label } = search;
  const isNarrowed = [user, team, task, model, provider, label].some(Boolean);
  return (
    <MoreFilters isOpen={isNarrowed}>
      <ChoiceFilter
        label="User"
        everything="All Users"
        value={search.user}
        options={users.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
        onChoose={(value) => onChange({ user: toId(value) })}
      />
      <ChoiceFilter
        label="Team"
        everything="All teams"
        value={search.team}
        options={teams.map(({ id, name }) => ({ value: id, label: name }))}
        onChoose={(value) => onChange({ team: toId(value) })}
      />
      <ChoiceFilter
        label="Task"
        everything="All tasks"
        value={search.task}
        options={tasks.map(({ id, name }) => ({ value: id, label: name }))}
        onChoose={(value) => onChange({ task: toId(value) })}
      />
      <ChoiceFilter
        label="Model"
        everything="All models"
        value={search.model}
        options={models.map((name) => ({ value: name, label: name }))}
        onChoose={(value) => onChange({ model: value })}
      />
      <ChoiceFilter
        label="Provider"
        everything="All providers"
        value={search.provider}
        options={providers.map(({ key: value, name }) => ({ value, label: name }))}
        onChoose={(value) => onChange({ provider: value })}
      />
      <LabelFilter chosen={label} period={period} onChoose={(value) => onChange({ label: value })} />
    </MoreFilters>
  );
}

interface LabelFilterProps {
  chosen: string | undefined;
  period: Period;
  onChoose: (label: string | undefined) => void;
}

/** The options are the labels of the requests in the period, loaded on the first interaction. */
function LabelFilter({ chosen, period, onChoose }: LabelFilterProps) {
  const [isUsed, setUsed] = useState(false);
  usePreload(async () => setUsed(true));
  const { data = [] } = useQuery({
    ...usedLabelsQuery(period),
    enabled: isUsed && findPeriodProblem(period) === null,
  });
  const labels = data.flatMap(({ name, values }) => values.map((value) => formatLabel(name, value)));
  const listed = chosen === undefined || labels.includes(chosen) ? labels : [...labels, chosen];
  if (listed.length === 0) return null;
  return (
    <ChoiceFilter
      label="Label"
      everything="All labels"
      value={chosen}
      options={listed.map((label) => ({ value: label, label }))}
      onChoose={onChoose}
    />
  );
}

function KeyFilter({ id, onRemove }: { id: number | undefined; onRemove: () => void }) {
  if (id === undefined) return null;
  return (
    <Button
      variant="light"
      aria-label={`Remove the filter API key #${id}`}
      rightSection={<X size={14} strokeWidth={1.5} aria-hidden />}
      onClick={onRemove}
    >
      API key #{id}
    </Button>
  );
}
