import { describe, expect, it } from 'vitest';
import { loadPages } from './load-pages.ts';

describe('a list that comes in pages', () => {
  it.each([0, 1, 2, 3, 4, 7])('loadPages returns all of %d rows', async (count) => {
    const rows = Array.from({ length: count }, (_, index) => index);
    const load = async ({ skip, limit }: { skip: number; limit: number }) => rows.slice(skip, skip + limit);
    expect(await loadPages(2, load)).toEqual(rows);
  });
});
