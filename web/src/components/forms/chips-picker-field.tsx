import { PillsInput } from '@mantine/core';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../ui/icon-button.tsx';
import styles from './picker.module.css';
import type { PickerChoice, PickerSource } from './picker-choices.ts';
import { PickerList } from './picker-list.tsx';
import { done, usePicker } from './use-picker.ts';

interface ChipsPickerFieldProps {
  label: string;
  source: PickerSource;
  value?: readonly string[];
  placeholder?: string;
  description?: ReactNode;
  error?: ReactNode;
  disabled?: boolean;
  emptyText?: string;
  onChange: (value: string[]) => void;
  'data-path'?: string;
  'data-autofocus'?: boolean;
}

/** Several of many: found by typing, kept as chips. */
export function ChipsPickerField({
  label,
  source,
  value = [],
  placeholder,
  disabled = false,
  emptyText,
  onChange,
  'data-path': path,
  'data-autofocus': hasAutofocus,
  ...wrapper
}: ChipsPickerFieldProps) {
  const picker = usePicker({
    source,
    taken: value,
    onPick: (picked) => onChange([...value, picked]),
    keys: ({ typed }) => ({ Backspace: () => !typed && done(() => onChange(value.slice(0, -1))) }),
  });
  return (
    <>
      <PillsInput label={label} disabled={disabled} {...wrapper}>
        <div className={styles.chips}>
          {value.map((picked) => (
            <Chip
              key={picked}
              choice={source.choices?.find((choice) => choice.value === picked)}
              isDisabled={disabled}
              onRemove={() => onChange(value.filter((kept) => kept !== picked))}
            />
          ))}
          <PillsInput.Field
            {...picker.inputProps}
            className={styles.field}
            data-path={path}
            data-autofocus={hasAutofocus}
            value={picker.typed ?? ''}
            placeholder={value.length === 0 ? placeholder : undefined}
          />
        </div>
      </PillsInput>
      <PickerList picker={picker} label={label} emptyText={emptyText} />
    </>
  );
}

interface ChipProps {
  choice: PickerChoice | undefined;
  isDisabled: boolean;
  onRemove: () => void;
}

function Chip({ choice, isDisabled, onRemove }: ChipProps) {
  const label = choice?.label ?? 'Loading...';
  return (
    <span className={styles.chip} title={choice?.detail}>
      <span className={styles.chipLabel}>{label}</span>
      <IconButton label={`Remove ${label}`} icon={X} iconSize={14} disabled={isDisabled} onClick={onRemove} />
    </span>
  );
}
