import { expect, test } from 'vitest';
import { deriveShapes, findDifferences, successions } from './shape.ts';

const shapes = deriveShapes([
  { type: 'start', id: 1, items: [{ type: 'text', text: '' }] },
  { type: 'start', id: 1, tier: 'x', items: [{ type: 'call', input: { any: 1 } }] },
]);

test('findDifferences returns nothing for values of a known shape', () => {
  const value = { type: 'start', id: 2, items: [{ type: 'call', input: { other: { deep: 1 } } }] };
  expect(findDifferences([value], shapes)).toEqual([]);
});

test('findDifferences reports unknown and missing fields with their path', () => {
  const value = { type: 'start', items: [{ type: 'text', text: '', extra: 1 }, { type: 'image' }] };
  expect(findDifferences([value, { type: 'stop' }], shapes)).toEqual([
    '<start>.id is missing',
    '<start>.items[]<text>.extra is not known',
    '<start>.items[]<image> is not known',
    '<stop> is not known',
  ]);
});

test('successions merges repetitions of one kind', () => {
  expect(successions(['a', 'b', 'b', 'c'])).toEqual(['start > a', 'a > b', 'b > c', 'c > end']);
});
