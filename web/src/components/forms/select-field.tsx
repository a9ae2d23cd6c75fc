import { TextInput, type TextInputProps } from '@mantine/core';
import { ChevronDown, Search } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { focusInDialog } from '../ui/dialog-layer.ts';
import { PickerList } from './picker-list.tsx';
import styles from './select-field.module.css';
import { done, usePicker } from './use-picker.ts';

export interface SelectOption {
  value: string | number;
  label: string;
  isDisabled?: boolean;
  /** Note next to the label, for example why the option is disabled: `Limit reached`. */
  note?: string | undefined;
}

interface SelectFieldProps extends Omit<TextInputProps, 'label' | 'value' | 'onChange' | 'onBlur'> {
  label?: string;
  value?: string | number | null | undefined;
  options: readonly SelectOption[];
  /** Label of the empty option, for example `Select a user`. */
  placeholder?: string;
  loadingText?: string;
  isLoading?: boolean;
  /** Called with the selected value, or an empty string. */
  onChange?: (value: string) => void;
}

/** Lists with at least this many options are searchable. */
const longCount = 8;
/** Maximum number of rendered options. Typing finds the others. */
const shownMax = 200;

/** Focuses the field when its options are loaded. A dialog cannot focus a disabled field when it opens. */
function useLateFocus(field: RefObject<HTMLInputElement | null>, isLoading: boolean): void {
  const wasLoading = useRef(isLoading);
  useEffect(() => {
    const { current } = field;
    if (wasLoading.current && !isLoading && current?.matches('[data-autofocus]')) focusInDialog(current);
    wasLoading.current = isLoading;
  }, [field, isLoading]);
}

/** Long lists are searchable. The value is a string, empty if nothing is selected. */
export function SelectField({
  options,
  value,
  placeholder,
  loadingText = 'Loading...',
  isLoading = false,
  disabled = false,
  onChange,
  ...props
}: SelectFieldProps) {
  const chosen = String(value ?? '');
  const none = placeholder === undefined ? [] : [{ value: '', label: placeholder }];
  const choices = [...none, ...options.map((option) => ({ ...option, value: String(option.value) }))];
  const picker = usePicker({
    source: { choices },
    chosen,
    shownMax,
    onPick: (picked) => picked !== chosen && onChange?.(picked),
    keys: ({ isOpen, typed, open, pickActive }) => ({
      ' ': () => typed === null && done(isOpen ? pickActive : open),
      Tab: () => isOpen && !done(pickActive),
    }),
  });
  const { isOpen, typed, inputProps, close } = picker;
  useLateFocus(inputProps.ref, isLoading);
  const isLong = choices.length >= longCount;
  const text = isLoading ? loadingText : choices.find((choice) => choice.value === chosen)?.label;
  const Icon = isOpen && isLong ? Search : ChevronDown;
  return (
    <>
      <TextInput
        rightSection={<Icon size={14} strokeWidth={1.5} aria-hidden />}
        rightSectionPointerEvents="none"
        {...props}
        {...inputProps}
        classNames={{ input: styles.input }}
        disabled={isLoading || disabled}
        aria-busy={isLoading}
        // Short lists do not open the on-screen keyboard.
        inputMode={isLong ? 'search' : 'none'}
        data-empty={chosen === '' || undefined}
        data-is-typed={typed !== null || undefined}
        value={typed ?? text ?? ''}
        onClick={isOpen && typed === null ? close : inputProps.onClick}
      />
      <PickerList picker={picker} label={props.label ?? props['aria-label']} />
    </>
  );
}
