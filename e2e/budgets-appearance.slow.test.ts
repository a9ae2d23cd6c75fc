import type { BudgetDefault, BudgetRaiseRequest } from '@sluice/contract';
import type { Page } from 'playwright-core';
import { budgetsAddress, describeBudget, openBudgets } from './budgets-page.ts';
import { shareConsole } from './console.ts';
import { describeLooks, type State } from './looks.ts';
import { answer } from './users-page.ts';

const budgets = [
  describeBudget(1, 'team "Platform"', { spent: 50.0421, over_max: 0.0421 }),
  describeBudget(2, 'user "Mara Lind" in team "Platform", models {gpt-5*,claude-opus-*}', {
    limit: 5,
    spent: 4.31,
    held: 0.12,
    window: 'day',
    action: 'downgrade',
    downgrade_to: 'gpt-5-mini',
  }),
  describeBudget(3, 'your organization', {
    limit: 2_000,
    spent: 912.4,
    held: 14.2,
    raised_limit: 3_000,
    raised_until: '2026-11-27T17:00:00.000Z',
    raise_reason: 'Release week',
    effective_limit: 3_000,
    used_percent: 30.4,
  }),
  describeBudget(4, 'API key "ci" of user "Sam Ortiz"', {
    measure: 'requests',
    window: 'minute',
    limit: 120,
    spent: 3,
    action: 'warn',
  }),
  describeBudget(5, 'provider "Azure West"', {
    measure: 'tokens',
    limit: 80_000_000,
    spent: 1_204_511,
    window: 'total',
    resets_at: null,
  }),
  describeBudget(6, 'team "Platform", models claude-*', {
    measure: 'parallel_requests',
    limit: 25,
    spent: 0,
    held: 7,
    used_percent: 28,
    window: 'at_once',
    resets_at: null,
  }),
];

const defaults: BudgetDefault[] = [
  { team_id: null, team_name: null, limit: 20, window: 'month', users: 41 } as const,
  { team_id: 1, team_name: 'Platform', limit: 50, window: 'month', users: 12 } as const,
  { team_id: 1, team_name: 'Platform', limit: 5, window: 'day', users: 12 } as const,
].map((one, index) => ({
  ...one,
  id: index + 1,
  measure: 'usd',
  thresholds: [0.8, 1],
  action: 'refuse',
  downgrade_to: null,
  created_at: '2026-11-03T09:00:00.000Z',
}));

const requests: BudgetRaiseRequest[] = [
  {
    id: 1,
    user_id: 7,
    user_name: 'Mara Lind',
    user_email: 'mara.lind@northwind.dev',
    budget: describeBudget(6, 'user "Mara Lind"', { spent: 48.2, origin: 'team "Platform"', default_id: 2 }),
    limit: 80,
    until: '2026-11-27T17:00:00.000Z',
    reason: 'The migration of the importer runs until Friday and needs the large model.',
    status: 'open',
    note: null,
    decided_at: null,
    created_at: '2026-11-25T09:00:00.000Z',
  },
];

shareConsole();

async function show(page: Page, search = '') {
  await page.route(budgetsAddress, answer(200, budgets));
  await openBudgets(page, search);
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

const states: State[] = [
  { name: 'list', isInEveryLook: true, show },
  { name: 'nearly-used', show: (page) => show(page, '?used=80') },
  { name: 'nothing-found', show: (page) => show(page, '?filter=nothing') },
  {
    name: 'defaults',
    async show(page) {
      await page.route('**/api/v1/admin/budget-defaults', answer(200, defaults));
      await page.goto('/admin/budgets?tab=defaults');
      await page.getByText('Each member of Platform').first().waitFor();
    },
  },
  {
    name: 'set-default',
    async show(page) {
      await page.route('**/api/v1/admin/budget-defaults', answer(200, defaults));
      await page.goto('/admin/budgets?tab=defaults');
      await press(page, 'Set a default');
      await page.getByRole('dialog', { name: 'Set a default budget' }).waitFor();
    },
  },
  {
    name: 'requests',
    async show(page) {
      await page.route('**/api/v1/admin/budget-raise-requests*', answer(200, requests));
      await page.goto('/admin/budgets?tab=requests');
      await page.getByRole('button', { name: 'Approve' }).waitFor();
    },
  },
  {
    name: 'create',
    async show(page) {
      await show(page);
      await press(page, 'Create budget');
      await page.getByRole('dialog', { name: 'Create budget' }).waitFor();
    },
  },
  {
    name: 'edit',
    async show(page) {
      await show(page);
      await page
        .getByRole('button', { name: /^Edit: User "Mara/ })
        .first()
        .click();
      await page.getByRole('dialog', { name: 'Edit budget' }).waitFor();
    },
  },
];

describeLooks('Budgets', 'budgets', states);
