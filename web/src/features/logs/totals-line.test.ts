import { expect, it } from 'vitest';
import type { LogsSearch } from './search.ts';
import { describeRefused } from './totals-line.tsx';

it.each<[LogsSearch, ReturnType<typeof describeRefused>]>([
  [{}, 'including'],
  [{ team: 1 }, 'including'],
  [{ filter: 'model:gpt-4o words' }, 'including'],
  [{ status: 'admitted' }, 'without'],
  [{ status: 'refused' }, null],
  [{ status: 'success' }, null],
  [{ reason: 'model_blacklisted' }, null],
  [{ filter: 'team:research status:error' }, null],
  [{ filter: 'status:admitted' }, 'without'],
  [{ filter: '"status: unknown"' }, 'including'],
])('describeRefused(%j) returns %s', (search, expected) => {
  expect(describeRefused(search)).toBe(expected);
});
