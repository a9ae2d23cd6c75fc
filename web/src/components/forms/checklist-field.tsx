import { Button, Input, TextInput } from '@mantine/core';
import { foldText } from '@sluice/contract';
import { Search } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import styles from './checklist-field.module.css';

interface ChecklistFieldProps {
  label: string;
  options: readonly string[];
  value?: readonly string[];
  emptyText: string;
  error?: ReactNode;
  onChange: (value: string[]) => void;
  'data-path'?: string;
}

const searchFrom = 10;

/** Shows a count, for example `Selected: 3 of 12`. The value keeps the order of the options. */
export function ChecklistField(props: ChecklistFieldProps) {
  const { label, options, value = [], emptyText, error, onChange } = props;
  const [text, setText] = useState('');
  const errorId = useId();
  const checked = new Set(value);
  const found = options.filter((option) => foldText(option).includes(foldText(text.trim())));
  const check = (changed: readonly string[], isChecked: boolean) =>
    onChange(options.filter((option) => (changed.includes(option) ? isChecked : checked.has(option))));
  return (
    <fieldset
      className={styles.field}
      // If the value is invalid and there is no checkbox to focus, the form focuses the group.
      data-path={found.length === 0 ? props['data-path'] : undefined}
      tabIndex={found.length === 0 ? -1 : undefined}
      aria-describedby={error ? errorId : undefined}
      aria-invalid={Boolean(error) || undefined}
    >
      <legend className={styles.legend}>{label}</legend>
      <div className={styles.tools}>
        <ToolButton isDisabled={found.length === 0} onClick={() => check(found, true)}>
          Select All
        </ToolButton>
        <ToolButton isDisabled={value.length === 0} onClick={() => check(found, false)}>
          Deselect All
        </ToolButton>
        <output className={`num ${styles.count}`}>
          Selected: {value.length} of {options.length}
        </output>
      </div>
      {options.length > searchFrom && <SearchField label={label} text={text} onChange={setText} />}
      <div className={styles.options}>
        {found.map((option, index) => (
          <label key={option} className={styles.option}>
            <input
              type="checkbox"
              checked={checked.has(option)}
              data-path={index === 0 ? props['data-path'] : undefined}
              onChange={(event) => check([option], event.currentTarget.checked)}
            />
            <span className={styles.name}>{option}</span>
          </label>
        ))}
        {found.length === 0 && (
          <p className={styles.empty}>{options.length === 0 ? emptyText : 'Nothing found'}</p>
        )}
      </div>
      <Problem id={errorId} error={error} />
    </fieldset>
  );
}

function Problem({ id, error }: { id: string; error: ReactNode }) {
  if (!error) return null;
  return (
    <Input.Error id={id} className={styles.error}>
      {error}
    </Input.Error>
  );
}

interface SearchFieldProps {
  label: string;
  text: string;
  onChange: (text: string) => void;
}

function SearchField({ label, text, onChange }: SearchFieldProps) {
  return (
    <TextInput
      type="search"
      className={styles.search}
      aria-label={`Search ${label.toLowerCase()}`}
      placeholder="Search"
      leftSection={<Search size={14} strokeWidth={1.5} aria-hidden />}
      value={text}
      onChange={(event) => onChange(event.currentTarget.value)}
      // Prevents Enter from submitting the surrounding form.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
    />
  );
}

interface ToolButtonProps {
  isDisabled: boolean;
  onClick: () => void;
  children: string;
}

function ToolButton({ isDisabled, onClick, children }: ToolButtonProps) {
  return (
    <Button variant="default" size="compact-sm" disabled={isDisabled} onClick={onClick}>
      {children}
    </Button>
  );
}
