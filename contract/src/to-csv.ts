export type CsvValue = string | number | bigint | boolean | null | undefined;

/**
 * Matches what spreadsheets interpret as the start of a formula, including full-width forms and skipped leading
 * characters.
 */
const startsFormula = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠﹣﹢﹦﹫−]|^[\t\r\n\0]/u;
const needsQuotes = /[",\r\n]|^\s|\s$/;

/**
 * Formats RFC 4180 text with CRLF after each line. Text that a spreadsheet would run as a formula is prefixed with an
 * apostrophe. Numbers are not.
 */
export function toCsv(header: readonly string[], rows: Iterable<readonly CsvValue[]>): string {
  const lines = [toCsvLine(header)];
  for (const row of rows) lines.push(toCsvLine(row));
  return lines.join('');
}

/** Uses the format of `toCsv`. */
export function toCsvLine(values: readonly CsvValue[]): string {
  return `${values.map(toField).join(',')}\r\n`;
}

function toField(value: CsvValue): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return toDecimal(value);
  if (typeof value !== 'string') return String(value);
  const text = startsFormula.test(value) ? `'${value}` : value;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const decimalFormat = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 20 });

/** Formats a number without an exponent, which some spreadsheets read as text: `-0.000000151`. */
function toDecimal(value: number): string {
  const text = String(value);
  return text.includes('e') ? decimalFormat.format(value) : text;
}
