import { expect, test } from 'vitest';
import { formatFigure, formatTable } from './document.ts';

test('formatTable aligns figures and leaves no trailing spaces', () => {
  const table = formatTable([
    ['name', 'us', 'ratio'],
    ['a', '5.0', '12.0'],
    ['longer name', '1234.5', ''],
  ]);
  expect(table.split('\n')).toEqual([
    'name             us  ratio',
    'a               5.0   12.0',
    'longer name  1234.5',
  ]);
});

test('formatFigure shows a missing figure as a dash, never as 0', () => {
  expect([formatFigure(null, 1), formatFigure(0, 1)]).toEqual(['-', '0.0']);
});
