import type { User } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { countUsers, describeNearLimits, filterUsers, isNearLimit, statusesOf } from './filter-users.ts';
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
  it('countUsers counts a user as active only if the user is not blocked', () => {
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
    [{ tokens_per_day: false, budget: false }, 'warn', 'Near a limit: daily tokens, budget'],
    [{ tokens_per_month: false }, 'warn', 'Near a limit: monthly tokens'],
    [{ tokens_per_day: false, tokens_per_month: true }, 'bad', 'Limit reached: monthly tokens'],
  ] as const)('describeNearLimits of %j returns %s: %s', (limits, kind, text) => {
    const near_limits = Object.entries(limits).map(([limit, is_reached]) => ({ limit, is_reached }));
    const user = person({ near_limits: near_limits as User['near_limits'] });
    expect(describeNearLimits(user)).toEqual({ kind, text });
    expect(filterUsers([user], { text: '', near: true })).toEqual([user]);
  });

  it('isNearLimit returns false for a user who is near no limit', () => {
    expect(isNearLimit(person({}))).toBe(false);
    expect(filterUsers([person({})], { text: '', near: true })).toEqual([]);
  });
});
