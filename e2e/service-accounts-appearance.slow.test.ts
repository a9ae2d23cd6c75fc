import type { ServiceAccount } from '@sluice/contract';
import type { Page } from 'playwright-core';
import { budgetsAddress, describeBudget } from './budgets-page.ts';
import { shareConsole } from './console.ts';
import { describeLooks, type State } from './looks.ts';
import { answer } from './users-page.ts';

function describeAccount(id: number, name: string, fields: Partial<ServiceAccount> = {}): ServiceAccount {
  return {
    id,
    name,
    team_id: null,
    team_name: null,
    role: 'user',
    is_active: true,
    is_blocked: false,
    scores_deviation: false,
    missing: [],
    keys_count: 1,
    tokens_count: 0,
    keys_expire_at: null,
    last_used_at: '2026-11-26T09:30:00.000Z',
    created_at: '2026-08-03T09:00:00.000Z',
    spend_usd_today: 1.2,
    spend_usd_month: 41.87,
    spend_usd_last_month: 39.5,
    ...fields,
  };
}

const accounts = [
  describeAccount(11, 'Deployment pipeline', { team_id: 3, team_name: 'Platform', keys_count: 3 }),
  describeAccount(12, 'Nightly evaluation of support answers', {
    team_id: 4,
    team_name: 'Support',
    keys_expire_at: '2026-11-28T09:00:00.000Z',
    spend_usd_month: 1_204.5,
  }),
  describeAccount(13, 'Terraform', { role: 'admin', keys_count: 0, tokens_count: 2, spend_usd_month: 0 }),
  describeAccount(14, 'Search indexer', { is_blocked: true, scores_deviation: true }),
  describeAccount(16, 'Release notes', { missing: ['task', 'models'], last_used_at: null }),
  describeAccount(15, 'Old chatbot', { is_active: false, keys_count: 0, last_used_at: null }),
];

shareConsole();

async function show(page: Page, search = '', listed: readonly ServiceAccount[] = accounts) {
  await page.route('**/api/v1/admin/service-accounts', answer(200, listed));
  await page.goto(`/admin/service-accounts${search}`);
  await page.locator('table[aria-label="Service accounts"][aria-busy="false"]').waitFor();
}

const states: State[] = [
  { name: 'list', isInEveryLook: true, show },
  { name: 'none', show: (page) => show(page, '', []) },
  { name: 'nothing-found', show: (page) => show(page, '?filter=nothing') },
  {
    name: 'details',
    async show(page) {
      const spending = { limit: 50, spent: 44.2, held: 0.3 };
      const budgets = [
        describeBudget(1, 'service account "Nightly evaluation of support answers"', spending),
      ];
      await page.route(budgetsAddress, answer(200, budgets));
      await show(page, '?open=12');
      await page.getByRole('button', { name: 'Create named key' }).waitFor();
      await page.getByText('$44.20').waitFor();
    },
  },
  {
    name: 'without-access',
    async show(page) {
      await page.route(budgetsAddress, answer(200, []));
      await show(page, '?open=16');
      await page.getByText('Requests are refused, because the account has no task and no models.').waitFor();
      await page.getByRole('button', { name: 'Create named key' }).waitFor();
    },
  },
  {
    name: 'create',
    async show(page) {
      await show(page);
      await page.getByRole('button', { name: 'Create service account' }).first().click();
      await page.getByRole('dialog', { name: 'Create service account' }).waitFor();
    },
  },
];

describeLooks('Service accounts', 'service-accounts', states);
