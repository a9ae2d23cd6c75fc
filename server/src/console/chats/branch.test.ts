import { expect, it } from 'vitest';
import { findBranch, findLatestLeaf, groupSiblings } from './branch.ts';

const row = (id: string, parentId: string | null) => ({ id, parentId });
const rows = [row('q1', null), row('a1', 'q1'), row('q2', 'a1'), row('a2', 'q2'), row('b1', 'q1')].concat([
  row('q3', 'a1'),
  row('a3', 'q3'),
]);

it('findBranch returns the path to the chosen leaf, or to the newest leaf by default', () => {
  expect(findBranch(rows, 'a2').map(({ id }) => id)).toEqual(['q1', 'a1', 'q2', 'a2']);
  expect(findBranch(rows, null).map(({ id }) => id)).toEqual(['q1', 'a1', 'q3', 'a3']);
  expect(findBranch([row('x', 'y'), row('y', 'x')], 'x')).toHaveLength(2);
  expect(findBranch([], null)).toEqual([]);
});

it('findLatestLeaf returns the newest leaf of the branches through a message', () => {
  expect(findLatestLeaf(rows, 'a1')).toBe('a3');
  expect(findLatestLeaf(rows, 'b1')).toBe('b1');
  expect(findLatestLeaf(rows, 'q2')).toBe('a2');
});

it('groupSiblings groups messages that follow the same message', () => {
  expect(groupSiblings(rows).get('q1')).toEqual(['a1', 'b1']);
  expect(groupSiblings(rows).get('a1')).toEqual(['q2', 'q3']);
  expect(groupSiblings(rows).get(null)).toEqual(['q1']);
});
