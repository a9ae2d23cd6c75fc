interface Page {
  skip: number;
  limit: number;
}

/**
 * Loads a whole list page by page. For lists with the newest rows first, each page starts after the last loaded row
 * instead of skipping rows.
 */
export async function loadPages<Row>(
  limit: number,
  load: (page: Page, last: Row | undefined) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await load({ skip: rows.length, limit }, rows.at(-1));
    rows.push(...page);
    if (page.length < limit) return rows;
  }
}
