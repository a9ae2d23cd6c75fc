import { describe, expect, it } from 'vitest';
import { findByText } from './column.ts';

const locks = [
  { name: 'Kaiserschleuse', keeper: null, depth: 11 },
  { name: 'Nordschleuse', keeper: 'Maya', depth: 14 },
];
const find = (text: string) =>
  findByText(locks, text, ({ name, keeper, depth }) => [name, keeper, depth]).map(({ name }) => name);

describe('the rows that hold a text', () => {
  it('hold it in any of their texts, whatever its case and the spaces around it', () => {
    expect(find(' NORD ')).toEqual(['Nordschleuse']);
    expect(find('maya')).toEqual(['Nordschleuse']);
    expect(find('11')).toEqual(['Kaiserschleuse']);
  });

  it('do not hold what is missing', () => {
    expect(find('null')).toEqual([]);
  });

  it('are all of them when nothing is looked for', () => {
    expect(findByText(locks, ' ', () => [])).toBe(locks);
  });
});
