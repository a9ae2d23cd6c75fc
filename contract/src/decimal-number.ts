import { z } from 'zod';

const decimalNotation = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,20})?$/;

/**
 * Parses decimal notation without a plus sign and checks the number with `schema`. `problem` is the error message for
 * any other text.
 */
export function decimalNumber<Schema extends z.ZodType<number, number>>(schema: Schema, problem?: string) {
  return z.preprocess((value, ctx) => {
    if (value === '') return undefined;
    if (typeof value !== 'string') return value;
    const number = readDecimal(value);
    if (number !== undefined) return number;
    const format = decimalNotation.test(value) ? 'decimal_digits' : 'decimal';
    ctx.addIssue({
      code: 'invalid_format',
      format,
      input: value,
      ...(problem && format === 'decimal' ? { message: problem } : {}),
    });
    return z.NEVER;
  }, schema);
}

/** Returns `undefined` for text that is not decimal notation and for numbers that have no exact representation. */
export function readDecimal(text: string): number | undefined {
  if (!decimalNotation.test(text)) return undefined;
  const [whole = '', decimals = ''] = text.split('.');
  const needed = decimals.replace(/0+$/, '');
  const value = Number(text);
  const kept = value.toFixed(needed.length);
  return kept === (needed === '' ? whole : `${whole}.${needed}`) ? value : undefined;
}

const groupedNotation = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d{1,20})?$/;
/**
 * Matches amounts such as `2.500`, which is 2,500 in many countries. Formatted numbers never have three decimals that
 * end in 0.
 */
const ambiguousNotation = /^-?[1-9]\d{0,2}\.\d\d0$/;

/**
 * Accepts decimal notation, with or without thousands separators. Returns `undefined` for any other text and for
 * ambiguous numbers such as `2,50`, `1.234,56` and `2.500`.
 */
export function readTypedNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (ambiguousNotation.test(trimmed)) return undefined;
  return readDecimal(groupedNotation.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed);
}

const moneyNotation = /^(-?)\$?(\d[\d,]*(?:\.\d+)?)$/;

/**
 * Accepts an optional dollar sign and thousands separators (`$1,234.56`). Also returns `undefined` for amounts such as
 * `1.234`, where the point may be a thousands separator.
 */
export function readTypedMoney(text: string): number | undefined {
  const [, sign, amount = ''] = moneyNotation.exec(text.trim()) ?? [];
  if (/^[1-9]\d{0,2}\.\d{3}$/.test(amount)) return undefined;
  return readTypedNumber(`${sign}${amount}`);
}

const typedFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });

/** Writes at most 20 decimals, with thousands separators. `readTypedNumber` parses the result. */
export const formatTypedNumber = (value: number): string => typedFormat.format(value);

/** Writes at most 20 decimals. `String` is not used because it formats numbers below 0.000001 with exponents. */
export function formatDecimal(value: number): string {
  const text = String(value);
  const [digits = '', exponent] = text.split('e-');
  if (exponent === undefined) return text;
  const decimals = digits.split('.')[1]?.length ?? 0;
  return value.toFixed(Math.min(Number(exponent) + decimals, 20));
}
