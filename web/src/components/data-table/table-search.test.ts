import { describe, expect, it } from 'vitest';
import { hasRoom, listColumns, searchRows } from './column.ts';
import {
  moveColumn,
  readOrder,
  readSorting,
  readVisibility,
  tableSearch,
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
  it('are named in addresses by their heading, the pinned ones first', () => {
    expect(columns.map(({ id }) => id)).toEqual(['name', 'depth-in-metres', 'keeper', 'built']);
  });

  it('appear when there is room for them', () => {
    expect(columns.filter((column) => hasRoom(column, 400)).map(({ id }) => id)).not.toContain('built');
    expect(columns.every((column) => hasRoom(column, 1000))).toBe(true);
  });
});

describe('the filter', () => {
  const rows = [
    { name: 'Upper Gate', depth: 12 },
    { name: 'Lower Gate', depth: null },
  ];

  it('finds text in whatever case, in every column that can be told as text', () => {
    expect(searchRows(rows, columns, ' upper ')).toEqual([rows[0]]);
    expect(searchRows(rows, columns, '12')).toEqual([rows[0]]);
    expect(searchRows(rows, columns, 'null')).toEqual([]);
  });

  it('finds everything when it says nothing', () => {
    expect(searchRows(rows, columns, '  ')).toBe(rows);
  });
});

describe("a list's address", () => {
  it('drops what makes no sense instead of failing', () => {
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

  it('keeps what makes sense', () => {
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

  it('does not name the first page', () => {
    expect(tableSearch.parse({ page: 1 }).page).toBeUndefined();
  });

  it('writes numbers without quotes and leaves other text as it is', () => {
    expect([toParameter('12'), toParameter('012'), toParameter('1e3'), toParameter('')]).toEqual([
      12,
      '012',
      '1e3',
      '',
    ]);
  });

  it('goes back to the first page with other rows, and stays where only the view changes', () => {
    expect(withFirstPage({ sort: 'name' })).toEqual({ sort: 'name', page: undefined, cursor: undefined });
    expect(withFirstPage({ open: 'x', hide: 'keeper' })).toEqual({ open: 'x', hide: 'keeper' });
    expect(withFirstPage({ page: 2 })).toEqual({ page: 2 });
  });
});

describe('sorting', () => {
  it('survives the address in both directions', () => {
    for (const sort of ['depth-in-metres', '-depth-in-metres']) {
      expect(writeSorting(readSorting(sort, columns))).toBe(sort);
    }
    expect(writeSorting([])).toBeUndefined();
  });

  it('ignores columns that are unknown or not sortable', () => {
    expect(readSorting('keeper', columns)).toEqual([]);
    expect(readSorting('gone', columns)).toEqual([]);
  });
});

describe('the order of columns', () => {
  it('is left out of the address when it is the usual one', () => {
    expect(writeOrder(readOrder(undefined, columns), columns)).toBeUndefined();
  });

  it('survives the address, and takes in columns that the address does not know', () => {
    const moved = moveColumn(readOrder(undefined, columns), 'keeper', -1, columns);
    expect(moved).toEqual(['name', 'keeper', 'depth-in-metres', 'built']);
    expect(readOrder(writeOrder(moved, columns), columns)).toEqual(moved);
    expect(readOrder('gone.keeper', columns)).toEqual(['name', 'keeper', 'depth-in-metres', 'built']);
  });

  it('leaves pinned columns first', () => {
    const order = readOrder(undefined, columns);
    expect(moveColumn(order, 'depth-in-metres', -1, columns)).toBe(order);
    expect(moveColumn(order, 'name', 1, columns)).toBe(order);
    expect(moveColumn(order, 'built', 1, columns)).toBe(order);
    expect(readOrder('keeper.name', columns)[0]).toBe('name');
  });
});

describe('the choice of columns', () => {
  it('is left out of the address when it is the usual one', () => {
    expect(writeVisibility(readVisibility({}, columns), columns)).toEqual({
      hide: undefined,
      show: undefined,
    });
  });

  it('survives the address', () => {
    const chosen = { hide: 'depth-in-metres.keeper', show: 'built' };
    expect(readVisibility(chosen, columns)).toEqual({
      name: true,
      'depth-in-metres': false,
      keeper: false,
      built: true,
    });
    expect(writeVisibility(readVisibility(chosen, columns), columns)).toEqual(chosen);
  });

  it('never hides the column that tells rows apart', () => {
    expect(readVisibility({ hide: 'name' }, columns).name).toBe(true);
  });
});
