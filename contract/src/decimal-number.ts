import { z } from 'zod';

const decimalNotation = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,20})?$/;

/**
 * Returns a schema for a number in a query, path, form or line of text, checked by `schema`. Only decimal notation is
 * accepted, without a plus sign; `problem` is the message for any other text.
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

/** Returns the number that a text in decimal notation represents exactly, or `undefined`. */
export function readDecimal(text: string): number | undefined {
  if (!decimalNotation.test(text)) return undefined;
  const [whole = '', decimals = ''] = text.split('.');
  const needed = decimals.replace(/0+$/, '');
  const value = Number(text);
  const kept = value.toFixed(needed.length);
  return kept === (needed === '' ? whole : `${whole}.${needed}`) ? value : undefined;
}

const groupedNotation = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d{1,20})?$/;
/** `2.500` is 2,500 in many countries; displayed numbers have no trailing zeros after three decimals. */
const ambiguousNotation = /^-?[1-9]\d{0,2}\.\d\d0$/;

/**
 * Returns the number that a user typed: decimal notation, with or without the thousands separators of displayed
 * amounts. Returns `undefined` for ambiguous texts (`2,50`, `1.234,56`, `2.500`).
 */
export function readTypedNumber(text: string): number | undefined {
  const trimmed = text.trim();
  if (ambiguousNotation.test(trimmed)) return undefined;
  return readDecimal(groupedNotation.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed);
}

const moneyNotation = /^(-?)\$?(\d[\d,]*(?:\.\d+)?)$/;

/**
 * Returns the dollar amount that a user typed, in the notation of `readTypedNumber`, with or without the dollar sign
 * of displayed amounts (`$1,234.56`). Returns `undefined` for three decimals (`1.234`), where the point may be a
 * thousands separator.
 */
export function readTypedMoney(text: string): number | undefined {
  const [, sign, amount = ''] = moneyNotation.exec(text.trim()) ?? [];
  if (/^[1-9]\d{0,2}\.\d{3}$/.test(amount)) return undefined;
  return readTypedNumber(`${sign}${amount}`);
}

const typedFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });

/** Formats a number with thousands separators and all its decimals, in the notation that `readTypedNumber` reads. */
export const formatTypedNumber = (value: number): string => typedFormat.format(value);

/**
 * Formats a number with at most 20 decimals, in the notation that `readDecimal` reads. `String` uses exponents below
 * 0.000001.
 */
export function formatDecimal(value: number): string {
  const text = String(value);
  const [digits = '', exponent] = text.split('e-');
  if (exponent === undefined) return text;
  const decimals = digits.split('.')[1]?.length ?? 0;
  return value.toFixed(Math.min(Number(exponent) + decimals, 20));
}
