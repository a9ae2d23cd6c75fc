import { NativeSelect, type NativeSelectProps } from '@mantine/core';

export interface SelectOption {
  value: string | number;
  label: string;
  isDisabled?: boolean;
}

interface SelectFieldProps extends Omit<NativeSelectProps, 'data' | 'value' | 'children'> {
  value?: string | number | null;
  options: readonly SelectOption[];
  /** Stands first and chooses nothing: `Select a user`. */
  placeholder?: string;
  /** Stands alone while the options are on their way: `Loading roles...`. */
  loadingText?: string;
  isLoading?: boolean;
}

/** A choice from a short list; the value is the option's as a string, or empty. */
export function SelectField({
  options,
  value,
  placeholder,
  loadingText = 'Loading...',
  isLoading = false,
  disabled = false,
  ...props
}: SelectFieldProps) {
  return (
    <NativeSelect
      {...props}
      value={isLoading ? '' : String(value ?? '')}
      disabled={isLoading || disabled}
      aria-busy={isLoading}
    >
      {isLoading && <option value="">{loadingText}</option>}
      {!isLoading && placeholder !== undefined && <option value="">{placeholder}</option>}
      {!isLoading &&
        options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.isDisabled}>
            {option.label}
          </option>
        ))}
    </NativeSelect>
  );
}
