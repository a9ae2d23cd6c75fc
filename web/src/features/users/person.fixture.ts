import type { User } from '@sluice/contract';

/** A user for tests. */
export const person = (fields: Partial<User>): User => ({
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
  held_daily_usage: 0,
  held_monthly_usage: 0,
  is_active: true,
  is_blocked: false,
  blocked_reason: null,
  deviation_score: 0,
  missing: [],
  has_second_factor: false,
  last_login: null,
  created_at: '2026-11-20T10:00:00Z',
  spend_usd_today: 0,
  spend_usd_month: 0,
  spend_usd_last_month: 0,
  ...fields,
});
