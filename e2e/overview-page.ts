import type { FirstSteps, Today } from '@sluice/contract';
import type { Page } from 'playwright-core';
import { fakeAnalytics } from './analytics-page.ts';
import { answer } from './users-page.ts';

const done: FirstSteps = {
  providers: ['OpenAI production'],
  has_sandbox: true,
  connection_tested_at: '2026-11-03T09:00:00.000Z',
  users: ['Maya Ortiz'],
  granted_users: ['Maya Ortiz'],
  assigned_users: ['Maya Ortiz'],
  key_holders: ['Maya Ortiz'],
  answered_request: { id: '01920000-0000-7000-8000-000000000000', created_at: '2026-11-03T09:12:00.000Z' },
};

export const busyDay: Today = {
  date: '2026-11-22',
  total_requests: 1_284,
  failed_requests: 17,
  refused_requests: [
    { reason: 'tokens_per_day_exceeded', count: 41 },
    { reason: 'model_blacklisted', count: 12 },
    { reason: 'policy_blocked', count: 3 },
  ],
  users_near_limit: 4,
  open_appeals: 1,
  failing_providers: [
    { llm_provider_id: 3, provider_instance_name: 'Anthropic EU', requests: 410, errors: 15 },
    { llm_provider_id: 1, provider_instance_name: 'OpenAI production', requests: 802, errors: 2 },
  ],
  total_spend: 48.2917,
  expiring_keys_count: 12,
  expiring_keys: [
    {
      user_id: 11,
      user_name: 'Jonas Weber',
      key_name: 'Ledger service',
      expires_at: '2026-11-24T09:00:00.000Z',
    },
    { user_id: 12, user_name: 'Aiko Tanaka', key_name: 'Notebook', expires_at: '2026-12-01T18:30:00.000Z' },
  ],
};

export const quietDay: Today = {
  ...busyDay,
  total_requests: 0,
  failed_requests: 0,
  refused_requests: [],
  users_near_limit: 0,
  open_appeals: 0,
  failing_providers: [],
  total_spend: 0,
  expiring_keys_count: 0,
  expiring_keys: [],
};

/** Opens the overview of a tenant that has completed all first steps. */
export async function openCockpit(page: Page, today: Today): Promise<void> {
  await page.route('**/api/v1/admin/first-steps', answer(200, done));
  await page.route('**/api/v1/admin/analytics/today', answer(200, today));
  await fakeAnalytics(page, today !== busyDay);
  await page.goto('/admin');
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.getByText('Refused by reason').waitFor();
}
