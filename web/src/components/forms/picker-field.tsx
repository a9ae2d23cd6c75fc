import { CloseButton, PillsInput, TextInput, type TextInputProps } from '@mantine/core';
import { Search, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../ui/icon-button.tsx';
import styles from './picker.module.css';
import type { PickerChoice, PickerSource } from './picker-choices.ts';
import { PickerList } from './picker-list.tsx';
import { done, usePicker } from './use-picker.ts';

type OwnProps = 'label' | 'value' | 'onChange' | 'type' | 'onBlur';

interface PickerFieldProps extends Omit<TextInputProps, OwnProps> {
  label: string;
  isLabelHidden?: boolean;
  source: PickerSource;
  /** Empty if nothing is selected. */
  value?: string | null | undefined;
  /** Shown while the options do not contain the value. */
  fallbackText?: string;
  emptyText?: string;
  onChange: (value: string) => void;
}

export function PickerField({
  label,
  isLabelHidden = false,
  source,
  value,
  fallbackText = '',
  emptyText,
  onChange,
  ...props
}: PickerFieldProps) {
  const picker = usePicker({ source, chosen: value, onPick: onChange });
  const chosen = value ? source.choices?.find((choice) => choice.value === value) : undefined;
  const text = value ? (chosen?.label ?? fallbackText) : '';
  const { search, inputProps } = picker;
  return (
    <>
      <TextInput
        leftSection={<Search size={14} strokeWidth={1.5} aria-hidden />}
        rightSection={
          value && !props.disabled ? (
            <CloseButton
              size="sm"
              aria-label={`Clear ${label}`}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onChange('')}
            />
          ) : null
        }
        {...props}
        {...(isLabelHidden ? { 'aria-label': label } : { label })}
        {...inputProps}
        value={picker.typed ?? text}
        onChange={(event) => {
          search(event.currentTarget.value);
          if (event.currentTarget.value === '') onChange('');
        }}
      />
      <PickerList picker={picker} label={label} emptyText={emptyText} />
    </>
  );
}

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

/** Selected options are shown as chips. */
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
