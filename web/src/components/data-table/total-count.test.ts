import { describe, expect, it } from 'vitest';
import { formatTotal, readPageTotal, readTotalCount } from './pager.tsx';
import { compareValues, countNew } from './use-data-table.ts';

describe('the total of a list', () => {
  it.each([
    ['0', '0'],
    ['18204', '18,204'],
    ['10000+', '10,000+'],
  ])('formatTotal(%s) returns %s', (header, text) => {
    const total = readTotalCount(header);
    expect(total && formatTotal(total)).toBe(text);
  });

  it('readTotalCount returns null if the header is missing or invalid', () => {
    expect([null, '', 'many', '-1', '1e3'].map(readTotalCount)).toEqual([null, null, null, null, null]);
  });
});

it('readPageTotal adds the rows of the first page on a later page that has an anchor', () => {
  const headers = new Headers({ 'x-total-count': '80' });
  expect(readPageTotal(headers, {}, 50)).toEqual({ count: 80, isExact: true });
  expect(readPageTotal(headers, { page: 3, before: 7, size: 25 }, 50)).toEqual({ count: 105, isExact: true });
  expect(readPageTotal(headers, { page: 3 }, 50)).toEqual({ count: 80, isExact: true });
});

describe('countNew', () => {
  const rowKey = (row: { id: number }) => row.id;

  it('countNew counts rows with an unknown key', () => {
    const held = [{ id: 3 }, { id: 2 }, { id: 1 }];
    expect(countNew(held, [{ id: 5 }, { id: 4 }, { id: 3 }], rowKey)).toBe(2);
    expect(countNew(held, held, rowKey)).toBe(0);
  });
});

describe('the order of values', () => {
  it('compareValues sorts numbers by value and texts by locale', () => {
    expect([10, 9, 100].toSorted(compareValues)).toEqual([9, 10, 100]);
    expect(['gpt-10', 'GPT-9', 'älter'].toSorted(compareValues)).toEqual(['älter', 'GPT-9', 'gpt-10']);
  });
});
