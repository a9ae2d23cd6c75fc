import { TextInput } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { SelectField } from '../forms/select-field.tsx';
import styles from './filter-bar.module.css';
import { FilterField } from './filter-field.tsx';

/** Filters of a list, in one line where they fit. */
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
  /** Whether the label is only read out. */
  isLabelHidden?: boolean;
  /** Label of the option that does not filter. */
  everything: string;
  value: string | number | undefined;
  options: readonly { value: string | number; label: string }[];
  onChoose: (value: string | undefined) => void;
}

export function ChoiceFilter(props: ChoiceFilterProps) {
  const { label, isLabelHidden = false, everything, value, options, onChoose } = props;
  const isListed = value === undefined || options.some((option) => String(option.value) === String(value));
  const missing = isListed ? [] : [{ value: value ?? '', label: `${label} ${value}` }];
  return (
    <SelectField
      className={isLabelHidden ? styles.unlabelled : styles.choice}
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      placeholder={everything}
      options={[...missing, ...options]}
      value={value ?? null}
      onChange={(chosen) => onChoose(chosen || undefined)}
    />
  );
}

interface DayFilterProps {
  label: string;
  value: string | undefined;
  min?: string | undefined;
  max?: string | undefined;
  /** Error message about the date. */
  error?: string | undefined;
  onChoose: (day: string | undefined) => void;
}

export function DayFilter({ label, value, min, max, error, onChoose }: DayFilterProps) {
  return (
    <TextInput
      className={styles.day}
      type="date"
      label={label}
      value={value ?? ''}
      min={min}
      max={max}
      error={error}
      onChange={(event) => onChoose(event.currentTarget.value || undefined)}
    />
  );
}

/** Tools such as the column chooser; on a phone they take a separate line. */
export function FilterTools({ children }: { children: ReactNode }) {
  return <div className={styles.tools}>{children}</div>;
}

/** Explains why a filter is not applied. */
export function FilterHint({ children }: { children: ReactNode }) {
  return (
    <p role="status" className={styles.hint}>
      {children}
    </p>
  );
}
