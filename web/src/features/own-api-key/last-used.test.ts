import { expect, it } from 'vitest';
import { formatLastUsed } from './screen.tsx';

const now = new Date(2026, 10, 22, 9, 30).getTime();
const at = (...when: [number, number, number, number]) => new Date(...when).toISOString();

it.each([
  [null, 'Never'],
  [at(2026, 10, 22, 0), 'Today'],
  [at(2026, 10, 21, 23), 'Yesterday'],
  [at(2026, 10, 20, 23), '2 days ago'],
  [at(2026, 9, 24, 1), '29 days ago'],
  [at(2026, 9, 23, 1), 'Oct 23, 2026'],
])('formatLastUsed formats %s as %s', (lastUsedAt, text) => {
  expect(formatLastUsed(lastUsedAt, now)).toBe(text);
});
