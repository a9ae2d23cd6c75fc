import type { User } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { countUsers, searchUsers } from './user-list.ts';

const person = (fields: Partial<User>): User => ({
  id: 1,
  name: 'Maya Ortiz',
  email: 'maya@northwind.dev',
  role_id: 3,
  role_name: 'user',
  daily_quota: 1000,
  monthly_quota: 30_000,
  requests_per_hour: 100,
  current_daily_usage: 0,
  current_monthly_usage: 0,
  is_active: true,
  is_blocked: false,
  blocked_reason: null,
  last_login: null,
  created_at: '2026-11-20T10:00:00Z',
  ...fields,
});

describe('the counts of users', () => {
  it('count as active only who is active and not blocked', () => {
    const users = [
      person({}),
      person({ is_blocked: true }),
      person({ is_active: false }),
      person({ is_active: false, is_blocked: true }),
    ];
    expect(countUsers(users)).toEqual({ total: 4, active: 1, blocked: 2 });
  });
});

describe('the search of users', () => {
  const maya = person({});
  const tom = person({ name: 'Tom Keller', email: 'T.Keller@northwind.dev' });

  it.each([
    ['ortiz', [maya]],
    ['t.keller@', [tom]],
    [' NORTHWIND ', [maya, tom]],
    ['nobody', []],
    ['', [maya, tom]],
  ])('finds by name or e-mail address in any case: "%s"', (text, found) => {
    expect(searchUsers([maya, tom], text)).toEqual(found);
  });
});
