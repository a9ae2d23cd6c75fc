import { errorCodes } from '@sluice/contract';
import { expect, it } from 'vitest';
import { adviceOn } from './refusal-guide.ts';

it.each(Object.entries(errorCodes))(
  'refusalGuide has advice for %s if and only if the code is a refusal',
  (code, row) => {
    const advice = adviceOn(code);
    expect(advice !== undefined).toBe(row.loggedAs === 'refused');
    if (!advice) return;
    expect(advice.decidedBy.length).toBeGreaterThan(5);
    expect(advice.next).toMatch(/^[A-Z].*\.$/);
  },
);

it('adviceOn returns undefined for an unknown code', () => {
  expect(adviceOn(null)).toBeUndefined();
  expect(adviceOn('toString')).toBeUndefined();
});
