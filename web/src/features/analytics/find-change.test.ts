import { describe, expect, it } from 'vitest';
import { findChange } from './find-change.ts';

const before = { start: '2026-10-01', end: '2026-10-30', days: 30 };

describe('findChange', () => {
  it.each<[usedSince: string | null, now: number, then: number, change: object]>([
    ['2026-09-30', 108.1, 100, { kind: 'more', share: expect.closeTo(0.081), days: 30 }],
    ['2026-10-01', 50, 100, { kind: 'less', share: 0.5, days: 30 }],
    ['2026-10-01', 100, 100, { kind: 'same', days: 30 }],
    ['2026-10-01', 100_001, 100_000, { kind: 'similar', days: 30 }],
    ['2026-10-01', 5, 0, { kind: 'none', days: 30 }],
    ['2026-10-02', 846, 100, { kind: 'incomplete', since: '2026-10-02' }],
    ['2026-10-30', 846, 100, { kind: 'incomplete', since: '2026-10-30' }],
    ['2026-10-30', 846, 0, { kind: 'incomplete', since: '2026-10-30' }],
    ['2026-10-31', 846, 0, { kind: 'none', days: 30 }],
    [null, 0, 0, { kind: 'none', days: 30 }],
  ])('findChange with usage since %s compares %d with %d as %j', (usedSince, now, then, change) => {
    expect(findChange(now, then, before, usedSince)).toEqual(change);
  });
});
