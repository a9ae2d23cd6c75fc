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
    period: 'day',
    action: 'route',
    route_to: 'gpt-5-mini',
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
    period: 'minute',
    limit: 120,
    spent: 3,
    action: 'warn',
  }),
  describeBudget(5, 'provider "Azure West"', {
    measure: 'tokens',
    limit: 80_000_000,
    spent: 1_204_511,
    period: 'total',
    resets_at: null,
  }),
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
    name: 'create',
    async show(page) {
      await show(page);
      await press(page, 'Create Budget');
      await page.getByRole('dialog', { name: 'Create Budget' }).waitFor();
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
      await page.getByRole('dialog', { name: 'Edit Budget' }).waitFor();
    },
  },
];

describeLooks('Budgets', 'budgets', states);
