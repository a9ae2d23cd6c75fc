import { expect, it } from 'vitest';
import { formatTotalCount } from './total-count.ts';

it('formatTotalCount is exact up to 10,000 and adds a plus sign above 10,000', () => {
  expect([0, 9_999, 10_000, 10_001].map((counted) => formatTotalCount(counted))).toEqual([
    '0',
    '9999',
    '10000',
    '10000+',
  ]);
});
