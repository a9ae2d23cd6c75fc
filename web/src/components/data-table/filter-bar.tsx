import { TextInput } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { SelectField } from '../forms/select-field.tsx';
import styles from './filter-bar.module.css';
import { FilterField } from './filter-field.tsx';

/** What narrows a list, in one line where there is room. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    <search className={styles.filters} aria-label="Filters">
      {children}
    </search>
  );
}

export function TextFilter(props: Omit<ComponentProps<typeof FilterField>, 'className'>) {
  return <FilterField {...props} className={styles.search} />;
}

interface ChoiceFilterProps {
  label: string;
  /** What it reads when nothing is chosen. */
  everything: string;
  value: string | number | undefined;
  options: readonly { value: string | number; label: string }[];
  onChoose: (value: string | undefined) => void;
}

export function ChoiceFilter({ label, everything, value, options, onChoose }: ChoiceFilterProps) {
  const isListed = value === undefined || options.some((option) => String(option.value) === String(value));
  const missing = isListed ? [] : [{ value: value ?? '', label: `${label} ${value}` }];
  return (
    <SelectField
      className={styles.choice}
      label={label}
      placeholder={everything}
      options={[...missing, ...options]}
      value={value ?? null}
      onChange={(event) => onChoose(event.currentTarget.value || undefined)}
    />
  );
}

interface DayFilterProps {
  label: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  onChoose: (day: string | undefined) => void;
}

export function DayFilter({ label, value, min, max, onChoose }: DayFilterProps) {
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

/** Says what keeps a filter from counting. */
export function FilterHint({ children }: { children: ReactNode }) {
  return (
    <p role="status" className={styles.hint}>
      {children}
    </p>
  );
}
