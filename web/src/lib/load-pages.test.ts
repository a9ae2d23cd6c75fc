import { describe, expect, it } from 'vitest';
import { loadPages } from './load-pages.ts';

describe('loadPages', () => {
  it.each([0, 1, 2, 3, 4, 7])('loadPages returns all of %d rows', async (count) => {
    const rows = Array.from({ length: count }, (_, index) => index);
    const load = async ({ skip, limit }: { skip: number; limit: number }) => rows.slice(skip, skip + limit);
    expect(await loadPages(2, load)).toEqual(rows);
  });

  it('loadPages starts each page after the last loaded row, even while rows are added', async () => {
    const rows = [6, 5, 4, 3, 2, 1];
    const load = async ({ limit }: { limit: number }, last: number | undefined) => {
      const page = rows.filter((row) => last === undefined || row < last).slice(0, limit);
      rows.unshift((rows[0] ?? 0) + 1);
      return page;
    };
    expect(await loadPages(2, load)).toEqual([6, 5, 4, 3, 2, 1]);
  });
});
