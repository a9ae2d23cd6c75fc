interface Page {
  skip: number;
  limit: number;
}

/** A whole list that the server gives in pages, until one is not full. */
export async function loadPages<Row>(
  limit: number,
  load: (page: Page) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await load({ skip: rows.length, limit });
    rows.push(...page);
    if (page.length < limit) return rows;
  }
}
