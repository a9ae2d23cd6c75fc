import { TextInput, type TextInputProps } from '@mantine/core';
import { formatTypedNumber, readTypedMoney, readTypedNumber } from '@sluice/contract';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { roundFraction } from '#lib/format-number.ts';

interface NumberFieldProps extends Omit<TextInputProps, 'type' | 'value' | 'defaultValue' | 'onChange'> {
  /** A string is text that is not a number. */
  value?: number | string | null;
  /**
   * `unlimited` submits `null` for an empty field. `absent` omits an empty field, so that the server's default
   * applies.
   */
  emptyMeans: 'unlimited' | 'absent';
  /** Whether the number is an amount in dollars. The input may contain `$`. */
  isMoney?: boolean;
  /** Unit after the number, for example `days`. */
  unit?: string;
  min?: number;
  max?: number;
  /** Step of the arrow keys. The default is 1. */
  step?: number;
  /** Called with the number, or with the text if the text is not a number, so that the schema rejects it. */
  onChange?: (value: number | string | null | undefined) => void;
}

/** Shows thousands separators. Accepts numbers in the format in which they are displayed. */
export function NumberField({
  value = '',
  emptyMeans,
  isMoney = false,
  unit,
  error,
  onChange,
  onBlur,
  onKeyDown,
  ...props
}: NumberFieldProps) {
  const { text, change, discard } = useTypedText({ value, emptyMeans, isMoney, onChange });
  const handleKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyDown?.(event);
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (direction === undefined || props.readOnly) return;
    event.preventDefault();
    const stepped = stepBy(value, direction, props);
    if (stepped === undefined) return;
    discard();
    onChange?.(stepped);
  };
  return (
    <TextInput
      placeholder={emptyMeans === 'unlimited' ? 'Unlimited' : undefined}
      autoComplete="off"
      inputMode="decimal"
      leftSection={isMoney ? '$' : undefined}
      rightSection={unit}
      rightSectionWidth={unit && `${unit.length + 2}ch`}
      rightSectionPointerEvents="none"
      {...props}
      className="num"
      error={explain(error, value, isMoney)}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onKeyDown={handleKeyDown}
      onBlur={(event) => {
        discard();
        onBlur?.(event);
      }}
    />
  );
}

interface TypedTextOptions {
  value: number | string | null;
  emptyMeans: NumberFieldProps['emptyMeans'];
  isMoney: boolean;
  onChange: NumberFieldProps['onChange'];
}

/**
 * Returns the text of the field: the typed text until `discard` is called or the value changes externally, then the
 * formatted value.
 */
function useTypedText({ value, emptyMeans, isMoney, onChange }: TypedTextOptions) {
  const [typed, setTyped] = useState<string | null>(null);
  const empty = emptyMeans === 'unlimited' ? null : undefined;
  const read = (text: string) =>
    text.trim() === '' ? empty : ((isMoney ? readTypedMoney(text) : readTypedNumber(text)) ?? text);
  const isCurrent = typed !== null && read(typed) === (value === '' ? empty : value);
  return {
    text: isCurrent ? typed : display(value),
    change: (text: string) => {
      setTyped(text);
      onChange?.(read(text));
    },
    discard: () => setTyped(null),
  };
}

/** Adds the accepted notation to the error if a text with separators is ambiguous or not a number. */
function explain(error: ReactNode, value: number | string | null, isMoney: boolean): ReactNode {
  if (!error || typeof value !== 'string' || !/[.,]/.test(value)) return error;
  return (
    <>
      {error}. Write it as {isMoney ? '1234.56 or 1,234.56' : '1234.5 or 1,234.5'}.
    </>
  );
}

function display(value: number | string | null): string {
  return typeof value === 'number' ? formatTypedNumber(value) : (value ?? '');
}

/** Returns `undefined` if the text is not a number. */
function stepBy(
  value: number | string | null,
  direction: number,
  { step = 1, min = 0, max = Number.MAX_SAFE_INTEGER }: Pick<NumberFieldProps, 'step' | 'min' | 'max'>,
): number | undefined {
  if (typeof value === 'string' && value !== '') return undefined;
  const next = roundFraction((Number(value ?? 0) || 0) + direction * step);
  return Math.min(Math.max(next, min), max);
}
