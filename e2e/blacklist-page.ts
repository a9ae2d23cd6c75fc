import type { BlacklistEntry } from '@sluice/contract';
import type { Page } from 'playwright-core';

const base = '**/api/v1/admin/blacklist';

export const blacklistAddresses = {
  list: base,
  summary: `${base}/summary`,
  models: `${base}/enabled-models`,
  check: `${base}/check`,
  entry: `${base}/*`,
};

export async function openBlacklist(page: Page, search = ''): Promise<void> {
  await page.goto(`/admin/blacklist${search}`);
  await page.locator('table[aria-label="Blacklist"][aria-busy="false"]').waitFor();
}

export function describeEntry(
  id: number,
  provider_key: string,
  model_pattern: string | null,
  fields: Partial<BlacklistEntry> = {},
): BlacklistEntry {
  return {
    id,
    provider_key,
    model_pattern,
    reason: 'Cost management',
    description: null,
    blocked_by_user_name: 'Maya Ortiz',
    created_at: '2026-11-03T09:00:00.000Z',
    ...fields,
  };
}
