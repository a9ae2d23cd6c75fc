import { describe, expect, it } from 'vitest';
import { formatTotal, readTotalCount } from './pager.tsx';
import { compareValues, countNew } from './use-data-table.ts';

describe('the total of a list', () => {
  it.each([
    ['0', '0'],
    ['18204', '18,204'],
    ['10000+', '10,000+'],
  ])('%s reads %s', (header, text) => {
    const total = readTotalCount(header);
    expect(total && formatTotal(total)).toBe(text);
  });

  it('is unknown when the header is absent or something else', () => {
    expect([null, '', 'many', '-1', '1e3'].map(readTotalCount)).toEqual([null, null, null, null, null]);
  });
});

describe('the rows that came while one reads', () => {
  const rowKey = (row: { id: number }) => row.id;

  it('are those whose key was not there', () => {
    const held = [{ id: 3 }, { id: 2 }, { id: 1 }];
    expect(countNew(held, [{ id: 5 }, { id: 4 }, { id: 3 }], rowKey)).toBe(2);
    expect(countNew(held, held, rowKey)).toBe(0);
  });
});

describe('the order of values', () => {
  it('takes numbers by size, and texts as people read them', () => {
    expect([10, 9, 100].toSorted(compareValues)).toEqual([9, 10, 100]);
    expect(['gpt-10', 'GPT-9', 'älter'].toSorted(compareValues)).toEqual(['älter', 'GPT-9', 'gpt-10']);
  });
});
