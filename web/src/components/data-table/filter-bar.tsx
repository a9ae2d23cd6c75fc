import { Button, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search, SlidersHorizontal } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { SelectField } from '../forms/select-field.tsx';
import styles from './filter-bar.module.css';
import listToolsStyles from './list-tools.module.css';
import { toParameter } from './table-search.ts';
import type { TableState } from './use-table-state.ts';

const pauseMs = 250;

interface FilterFieldProps {
  state: TableState;
  /** Accessible name and placeholder, for example `Search prompts and responses`. */
  label: string;
  placeholder: string;
  className?: string;
  /** Completions of the typed text. */
  suggest?: (text: string) => readonly string[];
  /** Reason why the text is not applied as a filter. */
  error?: ReactNode;
}

/** The URL is updated when typing pauses. When the user navigates back, the field shows the text of the URL. */
export function FilterField(props: FilterFieldProps) {
  const { state, label, placeholder, className, suggest, error } = props;
  const listId = useId();
  const written = String(state.search.filter ?? '');
  const [field, setField] = useState({ text: written, written });
  if (field.written !== written)
    setField({ text: field.text.trim() === written ? field.text : written, written });

  const write = useDebouncedCallback((text: string) => {
    const filter = text.trim();
    state.change(
      { filter: filter === '' ? undefined : toParameter(filter) },
      { isTyping: written !== '' && filter !== '' },
    );
  }, pauseMs);

  const input = (
    <TextInput
      className={className}
      type="search"
      list={suggest && listId}
      autoComplete="off"
      error={error}
      aria-label={label}
      placeholder={placeholder}
      leftSection={<Search size={16} strokeWidth={1.5} aria-hidden />}
      value={field.text}
      onChange={(event) => {
        setField({ text: event.currentTarget.value, written });
        write(event.currentTarget.value);
      }}
    />
  );
  if (!suggest) return input;
  return (
    <>
      {input}
      <datalist id={listId}>
        {suggest(field.text).map((text) => (
          <option key={text} value={text} />
        ))}
      </datalist>
    </>
  );
}

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
  /** Whether only screen readers get the label. */
  isLabelHidden?: boolean;
  everything: string;
  value: string | number | undefined;
  options: readonly { value: string | number; label: string }[];
  onChoose: (value: string | undefined) => void;
}

export function ChoiceFilter(props: ChoiceFilterProps) {
  const { label, isLabelHidden = false, everything, value, options, onChoose } = props;
  const isListed = value === undefined || options.some((option) => String(option.value) === String(value));
  const missingName = typeof value === 'number' ? `${label} ${value}` : String(value);
  const missing = isListed ? [] : [{ value: value ?? '', label: missingName }];
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
  error?: string | undefined;
  onChoose: (day: string | undefined) => void;
}

export function DayFilter({ label, value, min, max, error, onChoose }: DayFilterProps) {
  return (
    <TextInput
      className={styles.day}
      classNames={{ label: styles.dayLabel }}
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

interface MoreFiltersProps {
  /** Whether the filters are initially shown, for example because a filter is set. */
  isOpen?: boolean;
  children: ReactNode;
}

/** Phones hide these filters behind a button, so that rows are visible without scrolling. */
export function MoreFilters({ isOpen: isOpenAtFirst = false, children }: MoreFiltersProps) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <>
      <Button
        variant="default"
        className={styles.more}
        aria-expanded={isOpen}
        leftSection={<SlidersHorizontal size={16} strokeWidth={1.5} aria-hidden />}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide filters' : 'Filters'}
      </Button>
      <div className={styles.rest} data-open={isOpen || undefined}>
        {children}
      </div>
    </>
  );
}

/** Shown on a separate line on phones. */
export function FilterTools({ children }: { children: ReactNode }) {
  return <div className={styles.tools}>{children}</div>;
}

export const FilterBreak = () => <div className={styles.break} />;

export function FilterHint({ children }: { children: ReactNode }) {
  return (
    <p role="status" className={styles.hint}>
      {children}
    </p>
  );
}

interface ListToolsProps {
  search: ReactNode;
  filters?: ReactNode;
  /** Hidden on phones. */
  choices?: ReactNode;
  /** Totals of the listed rows, in a line below the filters. */
  totals?: ReactNode;
}

export function ListTools({ search, filters, choices, totals }: ListToolsProps) {
  const end = choices !== undefined && <div className={listToolsStyles.choices}>{choices}</div>;
  return (
    <>
      <search className={listToolsStyles.tools} aria-label="Filters">
        <div className={listToolsStyles.search}>{search}</div>
        {filters}
        {totals === undefined && end}
      </search>
      {totals !== undefined && (
        <div className={listToolsStyles.totals}>
          {totals}
          {end}
        </div>
      )}
    </>
  );
}
