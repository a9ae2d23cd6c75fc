import { CloseButton, TextInput, type TextInputProps } from '@mantine/core';
import { Search } from 'lucide-react';
import type { PickerSource } from './picker-choices.ts';
import { PickerList } from './picker-list.tsx';
import { usePicker } from './use-picker.ts';

type OwnProps = 'label' | 'value' | 'onChange' | 'type' | 'onBlur';

interface PickerFieldProps extends Omit<TextInputProps, OwnProps> {
  label: string;
  /** Whether the label is only read out, as in a row of filters. */
  isLabelHidden?: boolean;
  source: PickerSource;
  /** Selected value; empty if nothing is selected. */
  value?: string | null | undefined;
  /** Text of the field while the value is not among the choices. */
  fallbackText?: string;
  emptyText?: string;
  onChange: (value: string) => void;
}

/** One of many, found by typing; the value is the choice's, or empty. */
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
