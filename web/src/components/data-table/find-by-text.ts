/** The rows of which one of the texts holds the given one, whatever its case; all rows when nothing is given. */
export function findByText<Row>(
  rows: readonly Row[],
  text: string,
  textsOf: (row: Row) => readonly unknown[],
): readonly Row[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return rows;
  const holdsIt = (value: unknown) =>
    String(value ?? '')
      .toLowerCase()
      .includes(wanted);
  return rows.filter((row) => textsOf(row).some(holdsIt));
}
