import { describe, expect, it } from 'vitest';
import { createCollection, createIndexedCollection } from './collection.ts';

interface Row {
  readonly id: number;
  readonly group: string;
  readonly tags?: ReadonlySet<string>;
}

describe('IndexedCollection', () => {
  it('IndexedCollection finds the rows of a group, and finds each row only in its current group', () => {
    const rows = createIndexedCollection<number, Row>(({ group }) => group);
    for (const [id, group] of [
      [1, 'a'],
      [2, 'a'],
      [3, 'b'],
    ] as const)
      rows.put({ id, group });
    rows.put({ id: 2, group: 'b' });
    rows.remove(3);
    rows.remove(99);
    expect([rows.find('a'), rows.find('b'), rows.find('c')]).toEqual([
      [{ id: 1, group: 'a' }],
      [{ id: 2, group: 'b' }],
      [],
    ]);
    expect(rows.size).toBe(2);
  });

  it('IndexedCollection never changes a returned list, and returns the same list until one of its rows changes', () => {
    const rows = createIndexedCollection<number, Row>(({ group }) => group);
    rows.put({ id: 1, group: 'a', tags: new Set(['x']) });
    const list = rows.find('a');
    rows.put({ id: 1, group: 'a', tags: new Set(['x']) });
    rows.put({ id: 2, group: 'b' });
    expect(rows.find('a')).toBe(list);
    rows.put({ id: 1, group: 'a', tags: new Set(['y']) });
    expect(list).toEqual([{ id: 1, group: 'a', tags: new Set(['x']) }]);
    expect(rows.find('a')).toEqual([{ id: 1, group: 'a', tags: new Set(['y']) }]);
  });

  it('IndexedCollection puts, changes and removes a row without visiting other rows of its group', () => {
    const count = 50_000;
    let looks = 0;
    const rowOf = (id: number, group: string): Row => ({
      get id() {
        looks++;
        return id;
      },
      group,
    });
    const rows = createIndexedCollection<number, Row>(({ group }) => group);
    const perRow = (work: (id: number) => void) => {
      looks = 0;
      for (let id = 0; id < count; id++) work(id);
      return looks / count;
    };
    expect(perRow((id) => rows.put(rowOf(id, 'a')))).toBeLessThan(10);
    expect(perRow((id) => rows.put(rowOf(id, id % 2 === 0 ? 'a' : 'b')))).toBeLessThan(10);
    expect(rows.find('a')).toHaveLength(count / 2);
    expect(perRow((id) => rows.remove(id))).toBeLessThan(10);
    expect([rows.size, rows.find('a')]).toEqual([0, []]);
  });
});

it('Collection without an index finds rows only by id', () => {
  const rows = createCollection<number, Row>();
  rows.put({ id: 1, group: 'a' });
  expect([rows.get(1), rows.get(2), [...rows.ids()]]).toEqual([{ id: 1, group: 'a' }, undefined, [1]]);
  expect(rows).not.toHaveProperty('find');
});
