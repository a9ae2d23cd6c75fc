import { expect, it } from 'vitest';
import { nameAll } from './first-steps.tsx';

it.each([
  [[], ''],
  [['Ada'], 'Ada'],
  [['Ada', 'Ben'], 'Ada and Ben'],
  [['Ada', 'Ben', 'Cy'], 'Ada, Ben and Cy'],
  [['Ada', 'Ben', 'Cy', 'Dee'], 'Ada, Ben, Cy and others'],
])('nameAll joins %j with commas and "and"', (names, text) => {
  expect(nameAll(names)).toBe(text);
});
