import { expect, it } from 'vitest';
import { formatTotalCount } from './total-count.ts';

it('is exact to 10,000 and says "more" beyond', () => {
  expect([0, 9_999, 10_000, 10_001].map((counted) => formatTotalCount(counted))).toEqual([
    '0',
    '9999',
    '10000',
    '10000+',
  ]);
});
