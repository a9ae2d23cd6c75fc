type Cell = string | number | boolean | null;

/** Formats rows as a table with column names; the last column has no padding. */
export function formatTable(columns: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [columns, ...rows.map((row) => row.map(formatCell))];
  const widths = columns.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)));
  return texts.map((row) => formatRow(row, widths)).join('\n');
}

function formatRow(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((text, column) => text.padEnd(widths[column] ?? 0))
    .join('  ')
    .trimEnd();
}

function formatCell(cell: Cell): string {
  if (cell === null) return '-';
  return typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : String(cell);
}
