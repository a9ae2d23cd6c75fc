import type { Budget } from '@sluice/contract';
import type { Page } from 'playwright-core';

export const budgetsAddress = '**/api/v1/admin/budgets?*';

export async function openBudgets(page: Page, search = ''): Promise<void> {
  await page.goto(`/admin/budgets${search}`);
  await page.locator('table[aria-label="Budgets"][aria-busy="false"]').waitFor();
}

export function describeBudget(id: number, subject: string, fields: Partial<Budget> = {}): Budget {
  const { limit = 50, spent = 0 } = fields;
  return {
    id,
    subject_type: 'tenant',
    subject_id: 1,
    team_id: null,
    llm_provider_id: null,
    model_pattern: null,
    subject,
    origin: null,
    default_id: null,
    measure: 'usd',
    window: 'month',
    starts_at: null,
    limit,
    thresholds: [0.8, 1],
    action: 'refuse',
    downgrade_to: null,
    raised_limit: null,
    raised_until: null,
    raise_reason: null,
    effective_limit: limit,
    spent,
    held: 0,
    used_percent: Math.round((spent / limit) * 1_000) / 10,
    requests: 12,
    counts_since: '2026-11-03T09:00:00.000Z',
    resets_at: '2026-12-01T00:00:00.000Z',
    over_max: 0,
    created_at: '2026-11-03T09:00:00.000Z',
    ...fields,
  };
}
