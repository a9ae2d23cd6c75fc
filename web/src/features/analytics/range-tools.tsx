import type { User } from '@sluice/contract';
import { ChoiceFilter, DayFilter, FilterBar, FilterHint } from '#components/data-table/filter-bar.tsx';
import { SegmentedSwitch } from '#components/ui/segmented-switch.tsx';
import type { Period } from './queries.ts';
import styles from './range-tools.module.css';
import { type AnalyticsSearch, presetDays } from './search.ts';

interface RangeToolsProps {
  search: AnalyticsSearch;
  period: Period;
  problem: string | null;
  today: string;
  users: readonly Pick<User, 'id' | 'name' | 'email'>[];
  onChange: (changes: Partial<AnalyticsSearch>) => void;
}

const presets = presetDays.map((days) => ({ value: String(days), label: `${days} days` }));

/** Controls for period and user. */
export function RangeTools({ search, period, problem, today, users, onChange }: RangeToolsProps) {
  const isDated = search.start !== undefined && search.end !== undefined;
  const choosePreset = (value: string) =>
    onChange({ days: presetDays.find((days) => String(days) === value), start: undefined, end: undefined });
  /** Clearing a date returns to the preset. */
  const chooseDay = (name: 'start' | 'end', day: string | undefined) => {
    const { start, end } = period;
    onChange(day === undefined ? { start: undefined, end: undefined } : { start, end, [name]: day });
  };
  return (
    <FilterBar>
      <div className={styles.presets}>
        <SegmentedSwitch
          label="Days"
          options={presets}
          value={isDated ? '' : String(period.days)}
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
      <ChoiceFilter
        label="User"
        everything="All Users"
        value={search.user}
        options={users.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
        onChoose={(value) => onChange({ user: Number(value) || undefined })}
      />
      <FilterHint>{problem}</FilterHint>
    </FilterBar>
  );
}
