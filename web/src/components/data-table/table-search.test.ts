import { describe, expect, it } from 'vitest';
import { fitColumns, listColumns, searchRows } from './column.ts';
import {
  moveColumn,
  readOrder,
  readSorting,
  readVisibility,
  tableSearch,
  toPageQuery,
  toParameter,
  withFirstPage,
  writeOrder,
  writeSorting,
  writeVisibility,
} from './table-search.ts';

interface Lock {
  name: string;
  depth: number | null;
}

const cell = () => null;
const columns = listColumns<Lock>([
  { name: 'Depth in Metres', cell, sortBy: ({ depth }) => depth },
  { name: 'Keeper', cell },
  { name: 'Lock', id: 'name', cell, csv: ({ name }) => name, isPinned: true, isHideable: false },
  { name: 'Built', cell, isExtra: true, showFrom: 'wide' },
]);

describe('the columns of a list', () => {
  it('listColumns derives ids from headings and puts pinned columns first', () => {
    expect(columns.map(({ id }) => id)).toEqual(['name', 'depth-in-metres', 'keeper', 'built']);
  });
});

describe('columns in a narrow list', () => {
  const wide = listColumns<Lock>([
    { name: 'Lock', cell, isPinned: true, isHideable: false, minWidth: '11rem' },
    { name: 'Keeper', cell, width: '10rem', showFrom: 'medium' },
    { name: 'Built', cell, width: '10rem', showFrom: 'wide' },
    { name: 'Depth', cell, width: '20%', showFrom: 'medium' },
    { name: 'Asked for', cell, width: '10rem', isExtra: true },
  ]);
  const shownIn = (widthPx: number) => fitColumns(wide, { widthPx, controlsPx: 80 }).map(({ id }) => id);

  it('fitColumns hides columns before it narrows names: columns for wide lists first, then the last columns', () => {
    expect(shownIn(1200)).toEqual(['lock', 'keeper', 'built', 'depth', 'asked-for']);
    expect(shownIn(970)).toEqual(['lock', 'keeper', 'built', 'depth', 'asked-for']);
    expect(shownIn(800)).toEqual(['lock', 'keeper', 'depth', 'asked-for']);
    expect(shownIn(700)).toEqual(['lock', 'keeper', 'asked-for']);
    expect(shownIn(200)).toEqual(['lock']);
  });
});

describe('the filter', () => {
  const rows = [
    { name: 'Upper Gate', depth: 12 },
    { name: 'Lower Gate', depth: null },
  ];

  it('searchRows ignores case and searches every column with a text', () => {
    expect(searchRows(rows, columns, ' upper ')).toEqual([rows[0]]);
    expect(searchRows(rows, columns, '12')).toEqual([rows[0]]);
    expect(searchRows(rows, columns, 'null')).toEqual([]);
  });

  it('searchRows returns all rows for an empty search', () => {
    expect(searchRows(rows, columns, '  ')).toBe(rows);
  });
});

describe('the URL of a list', () => {
  it('tableSearch drops invalid parameters instead of failing', () => {
    const senseless = {
      filter: { a: 1 },
      sort: 7,
      page: 'two',
      size: 33,
      hide: [],
      open: null,
      density: 'tiny',
      elsewhere: 1,
    };
    expect(Object.values(tableSearch.parse(senseless)).filter((value) => value !== undefined)).toEqual([]);
  });

  it('tableSearch keeps valid parameters', () => {
    const search = {
      filter: 'retry',
      sort: '-built',
      page: 3,
      size: 25,
      hide: 'keeper',
      open: 12,
      density: 'compact',
    };
    expect(tableSearch.parse(search)).toEqual(search);
  });

  it('tableSearch omits page 1', () => {
    expect(tableSearch.parse({ page: 1 }).page).toBeUndefined();
  });

  it('toParameter writes plain integers as numbers and other text unchanged', () => {
    expect([toParameter('12'), toParameter('012'), toParameter('1e3'), toParameter('')]).toEqual([
      12,
      '012',
      '1e3',
      '',
    ]);
  });

  it('withFirstPage resets the page if the listed rows change, but not if only the view changes', () => {
    expect(withFirstPage({ sort: 'name' })).toEqual({ sort: 'name', page: undefined, cursor: undefined });
    expect(withFirstPage({ open: 'x', hide: 'keeper' })).toEqual({ open: 'x', hide: 'keeper' });
    expect(withFirstPage({ page: 2 })).toEqual({ page: 2 });
  });
});

describe('sorting', () => {
  it('readSorting and writeSorting round-trip both directions', () => {
    for (const sort of ['depth-in-metres', '-depth-in-metres']) {
      expect(writeSorting(readSorting(sort, columns))).toBe(sort);
    }
    expect(writeSorting([])).toBeUndefined();
  });

  it('readSorting ignores columns that are unknown or not sortable', () => {
    expect(readSorting('keeper', columns)).toEqual([]);
    expect(readSorting('gone', columns)).toEqual([]);
  });
});

describe('the order of columns', () => {
  it('writeOrder omits the default order', () => {
    expect(writeOrder(readOrder(undefined, columns), columns)).toBeUndefined();
  });

  it('readOrder round-trips an order and adds columns missing from the URL', () => {
    const moved = moveColumn(readOrder(undefined, columns), 'keeper', -1, columns);
    expect(moved).toEqual(['name', 'keeper', 'depth-in-metres', 'built']);
    expect(readOrder(writeOrder(moved, columns), columns)).toEqual(moved);
    expect(readOrder('gone.keeper', columns)).toEqual(['name', 'keeper', 'depth-in-metres', 'built']);
  });

  it('readOrder keeps pinned columns first', () => {
    const order = readOrder(undefined, columns);
    expect(moveColumn(order, 'depth-in-metres', -1, columns)).toBe(order);
    expect(moveColumn(order, 'name', 1, columns)).toBe(order);
    expect(moveColumn(order, 'built', 1, columns)).toBe(order);
    expect(readOrder('keeper.name', columns)[0]).toBe('name');
  });
});

describe('the choice of columns', () => {
  it('the default choice of columns is omitted from the URL', () => {
    expect(writeVisibility(readVisibility({}, columns), columns)).toEqual({
      hide: undefined,
      show: undefined,
    });
  });

  it('a choice of columns round-trips through the URL', () => {
    const chosen = { hide: 'depth-in-metres.keeper', show: 'built' };
    expect(readVisibility(chosen, columns)).toEqual({
      name: true,
      'depth-in-metres': false,
      keeper: false,
      built: true,
    });
    expect(writeVisibility(readVisibility(chosen, columns), columns)).toEqual(chosen);
  });

  it('the identifying column cannot be hidden', () => {
    expect(readVisibility({ hide: 'name' }, columns).name).toBe(true);
  });
});

describe('the query of a page', () => {
  it.each([
    [{}, { skip: 0, limit: 50 }],
    [
      { page: 2, before: 'a' },
      { before: 'a', skip: 0, limit: 50 },
    ],
    [
      { page: 4, before: 7, size: 25 },
      { before: '7', skip: 50, limit: 25 },
    ],
    [{ page: 3 }, { skip: 100, limit: 50 }],
  ] as const)('toPageQuery(%o) returns %o', (search, query) => {
    expect(toPageQuery(search, 50)).toEqual(query);
  });

  it('withFirstPage drops the anchor of a page if the rows change', () => {
    expect(withFirstPage({ filter: 'x' })).toHaveProperty('before', undefined);
    expect(withFirstPage({ page: 3, before: 'a' })).toEqual({ page: 3, before: 'a' });
  });
});
