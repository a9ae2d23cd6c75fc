import { describe, expect, it } from 'vitest';
import { findByText } from './column.ts';

const locks = [
  { name: 'Kaiserschleuse', keeper: null, depth: 11 },
  { name: 'Nordschleuse', keeper: 'Maya', depth: 14 },
];
const find = (text: string) =>
  findByText(locks, text, ({ name, keeper, depth }) => [name, keeper, depth]).map(({ name }) => name);

describe('findByText', () => {
  it('findByText ignores case and surrounding spaces and searches every text', () => {
    expect(find(' NORD ')).toEqual(['Nordschleuse']);
    expect(find('maya')).toEqual(['Nordschleuse']);
    expect(find('11')).toEqual(['Kaiserschleuse']);
  });

  it('findByText does not match missing values', () => {
    expect(find('null')).toEqual([]);
  });

  it('findByText returns all rows for an empty search', () => {
    expect(findByText(locks, ' ', () => [])).toBe(locks);
  });
});
