/** Formats columns of equal width: the first is left-aligned, the others are right-aligned. */
export function formatTable(rows: string[][]): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  const lines = rows.map((row) =>
    row
      .map((cell, column) => align(cell, column, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return lines.join('\n');
}

/** Formats a figure, or a dash if it is missing. */
export function formatFigure(figure: number | null, digits: number): string {
  return figure === null ? '-' : figure.toFixed(digits);
}

function align(cell: string, column: number, width: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
