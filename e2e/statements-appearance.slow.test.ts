import type { Statement, StatementRow } from '@sluice/contract';
import type { Page } from 'playwright-core';
import { shareConsole } from './console.ts';
import { describeLooks, type State } from './looks.ts';
import { answer } from './users-page.ts';

const describeRow = (name: string, cost: number, fields: Partial<StatementRow> = {}): StatementRow => ({
  kind: 'value',
  name,
  team_id: null,
  requests: Math.round(cost * 41),
  tokens: Math.round(cost * 96_000),
  self_managed_usd: cost * 0.75,
  service_managed_usd: cost * 0.25,
  cost_usd: cost,
  ...fields,
});

const rows = [
  describeRow('4711', 1_284.5),
  describeRow('4720', 812.25),
  describeRow('Research and development of the platform, second building', 96.125),
  describeRow('9000', 0.0042),
  describeRow('', 31.5, { kind: 'none' }),
];

const sum = (read: (row: StatementRow) => number) => rows.reduce((total, row) => total + read(row), 0);

const statement: Statement = {
  month: '2026-10',
  by: 'label',
  label: 'cost_center',
  tenant_name: 'Northwind',
  time_zone: 'Europe/Zurich',
  first_day: '2026-10-01',
  last_day: '2026-10-31',
  is_over: true,
  is_reduced: false,
  rows,
  total: {
    requests: sum(({ requests }) => requests),
    tokens: sum(({ tokens }) => tokens),
    self_managed_usd: sum((row) => row.self_managed_usd),
    service_managed_usd: sum((row) => row.service_managed_usd),
    cost_usd: sum(({ cost_usd }) => cost_usd),
  },
  is_filtered: false,
  ledger_deductions_usd: sum((row) => row.service_managed_usd),
  matches_ledger: true,
};

shareConsole();

async function show(page: Page, changes: Partial<Statement> = {}) {
  await page.route('**/api/v1/admin/statements?month=2026-10*', answer(200, { ...statement, ...changes }));
  await page.route(
    '**/api/v1/admin/analytics/labels?*',
    answer(200, [{ name: 'cost_center', values: ['4711'] }]),
  );
  await page.goto('/admin/statements?month=2026-10&label=cost_center');
  await page.getByRole('article', { name: 'Statement' }).waitFor();
}

const nothing = { requests: 0, tokens: 0, self_managed_usd: 0, service_managed_usd: 0, cost_usd: 0 };

const states: State[] = [
  { name: 'by-label', isInEveryLook: true, show },
  {
    name: 'differs',
    show: (page) => show(page, { matches_ledger: false, is_over: false, is_reduced: true }),
  },
  { name: 'empty', show: (page) => show(page, { rows: [], total: nothing }) },
];

describeLooks('Statements', 'statements', states);
