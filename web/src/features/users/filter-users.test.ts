import { describe, expect, it } from 'vitest';
import { countUsers, filterUsers, isNearLimit, statusesOf } from './filter-users.ts';
import { person } from './person.fixture.ts';

describe('statusesOf', () => {
  it.each([
    [{ is_active: true, is_blocked: false }, ['active']],
    [{ is_active: false, is_blocked: false }, ['inactive']],
    [{ is_active: true, is_blocked: true }, ['blocked']],
    [{ is_active: false, is_blocked: true }, ['inactive', 'blocked']],
  ])('statusesOf(%j) returns %s', (fields, statuses) => {
    expect(statusesOf(person(fields))).toEqual(statuses);
  });
});

describe('counts of users', () => {
  it('countUsers counts a user as active only if not blocked', () => {
    const users = [
      person({}),
      person({ is_blocked: true }),
      person({ is_active: false }),
      person({ is_active: false, is_blocked: true }),
    ];
    expect(countUsers(users)).toEqual({ total: 4, active: 1, blocked: 2 });
  });
});

describe('score filter', () => {
  it.each([
    ['elevated', [0.51, 0.71]],
    ['high', [0.71]],
  ] as const)('filterUsers with the score filter %s returns users above its threshold', (score, kept) => {
    const users = [0.2, 0.5, 0.51, 0.71].map((deviation_score) => person({ deviation_score }));
    expect(filterUsers(users, { text: '', score }).map((user) => user.deviation_score)).toEqual(kept);
  });
});

describe('filterUsers', () => {
  const maya = person({});
  const tom = person({ name: 'Tom Keller', email: 'T.Keller@northwind.dev', is_blocked: true });

  it.each([
    ['ortiz', [maya]],
    ['t.keller@', [tom]],
    [' NORTHWIND ', [maya, tom]],
    ['nobody', []],
    ['blocked', []],
    ['', [maya, tom]],
  ])('filterUsers searches name and email, ignoring case: "%s"', (text, found) => {
    expect(filterUsers([maya, tom], { text })).toEqual(found);
  });

  it('filterUsers filters by status', () => {
    expect(filterUsers([maya, tom], { text: 'northwind', status: 'blocked' })).toEqual([tom]);
  });
});

describe('isNearLimit', () => {
  it.each([
    [{ current_daily_usage: 800, daily_quota: 1_000 }, true],
    [{ current_daily_usage: 799, daily_quota: 1_000 }, false],
    [{ current_monthly_usage: 30_000, monthly_quota: 30_000 }, true],
    [{ current_daily_usage: 9_000_000, daily_quota: null }, false],
    [{ current_daily_usage: 0, daily_quota: 0 }, false],
    [{ current_daily_usage: 900, daily_quota: 1_000, is_active: false }, false],
  ])('isNearLimit of %j returns %s', (fields, isNear) => {
    expect(isNearLimit(person(fields))).toBe(isNear);
    expect(filterUsers([person(fields)], { text: '', near: true })).toHaveLength(isNear ? 1 : 0);
  });
});
