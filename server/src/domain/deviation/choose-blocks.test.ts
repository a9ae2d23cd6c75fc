import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseBlocks } from './choose-blocks.ts';

const facts = { users: 100, recentBlocks: 0, administratorIds: [1] };

describe('chooseBlocks', () => {
  it('chooseBlocks blocks at most three users or 5% of them per hour, whichever is more', () => {
    const all = Array.from({ length: 50 }, (_, index) => index + 10);
    expect(chooseBlocks(all, { ...facts, users: 4 })).toHaveLength(3);
    expect(chooseBlocks(all, facts)).toHaveLength(5);
    expect(chooseBlocks(all, { ...facts, recentBlocks: 4 })).toEqual([10]);
    expect(chooseBlocks(all, { ...facts, recentBlocks: 7 })).toEqual([]);
  });

  it('chooseBlocks never blocks the last active administrator, even if all administrators cross the threshold together', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    fc.assert(
      fc.property(ids, ids, (crossed, administratorIds) => {
        const blocked = new Set(chooseBlocks(crossed, { users: 1_000, recentBlocks: 0, administratorIds }));
        expect(administratorIds.some((id) => !blocked.has(id))).toBe(true);
      }),
    );
  });
});
