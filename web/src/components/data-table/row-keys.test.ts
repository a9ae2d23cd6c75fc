import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTargetRow } from './row-keys.ts';

describe('the keys of a list', () => {
  it('findTargetRow moves by one row, by a page, and to both ends', () => {
    const targets = ['j', 'ArrowDown', 'k', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'].map((key) =>
      findTargetRow(key, 50, 100, 20),
    );
    expect(targets).toEqual([51, 51, 49, 49, 70, 30, 0, 99]);
  });

  it('findTargetRow returns null for other keys and for an empty list', () => {
    expect(findTargetRow('x', 5, 10, 5)).toBeNull();
    expect(findTargetRow('j', -1, 0, 5)).toBeNull();
  });

  it('findTargetRow never leaves the list', () => {
    const keys = fc.constantFrom('j', 'k', 'PageDown', 'PageUp', 'Home', 'End');
    fc.assert(
      fc.property(
        keys,
        fc.nat(1000),
        fc.integer({ min: 1, max: 1000 }),
        fc.nat(50),
        (key, from, count, page) => {
          const target = findTargetRow(key, Math.min(from, count - 1), count, page);
          expect(target).toBeGreaterThanOrEqual(0);
          expect(target).toBeLessThan(count);
        },
      ),
    );
  });
});
