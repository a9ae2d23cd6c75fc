import { NumberInput, type NumberInputProps } from '@mantine/core';

interface NumberFieldProps extends Omit<NumberInputProps, 'value' | 'defaultValue' | 'onChange'> {
  value?: number | string | null;
  /** Whether an empty field submits `null`, or is left out so that the server's default applies. */
  emptyMeans: 'unlimited' | 'absent';
  onChange?: (value: number | string | null | undefined) => void;
}

/** A number with thousands separators. */
export function NumberField({ value, emptyMeans, onChange, ...props }: NumberFieldProps) {
  const empty = emptyMeans === 'unlimited' ? null : undefined;
  return (
    <NumberInput
      placeholder={emptyMeans === 'unlimited' ? 'Unlimited' : undefined}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=","
      hideControls
      autoComplete="off"
      {...props}
      className="num"
      value={value ?? ''}
      onChange={(next) => onChange?.(next === '' ? empty : next)}
    />
  );
}
