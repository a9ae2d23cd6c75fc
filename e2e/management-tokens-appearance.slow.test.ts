import { type ManagementToken, managementScopes } from '@sluice/contract';
import type { Page } from 'playwright-core';
import { shareConsole } from './console.ts';
import { describeLooks, looksAt, type State } from './looks.ts';
import { answer } from './users-page.ts';

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs + 3_600_000).toISOString();

function describeToken(id: number, name: string, fields: Partial<ManagementToken> = {}): ManagementToken {
  return {
    id,
    name,
    masked_token: `slm_…${String(id).padStart(4, 'x')}`,
    state: 'active',
    scopes: ['users:read'],
    user_id: 1,
    user_name: 'Ada Lovelace',
    user_email: 'ada.lovelace@northwind.dev',
    user_kind: 'person',
    created_at: inDays(-20),
    expires_at: inDays(70),
    last_used_at: inDays(-1),
    last_used_address: '203.0.113.7',
    ...fields,
  };
}

const ofAccount = { user_id: 11, user_name: 'Deployment pipeline', user_kind: 'service' } as const;

const tokens = [
  describeToken(31, 'Nightly report', { scopes: ['analytics:read', 'logs:read', 'budgets:read'] }),
  describeToken(30, 'Terraform of the platform team in the region Europe', {
    ...ofAccount,
    scopes: [...managementScopes],
    expires_at: inDays(3),
  }),
  describeToken(29, 'Directory', {
    ...ofAccount,
    scopes: ['scim'],
    last_used_at: null,
    last_used_address: null,
  }),
  describeToken(28, 'Old import', { state: 'expired', expires_at: inDays(-9) }),
  describeToken(27, 'Contractor', { state: 'revoked', scopes: ['tasks:read', 'tasks:write'] }),
];

shareConsole();

async function show(page: Page, search = '', listed: readonly ManagementToken[] = tokens) {
  await page.route('**/api/v1/admin/tokens?*', answer(200, listed));
  await page.goto(`/admin/management-tokens${search}`);
  await page.locator('table[aria-label="Management tokens"][aria-busy="false"]').waitFor();
}

const states: State[] = [
  { name: 'list', isInEveryLook: true, show },
  { name: 'empty', isInEveryLook: true, show: (page) => show(page, '', []) },
  { name: 'nothing-found', show: (page) => show(page, '?filter=nothing', []) },
  {
    name: 'details',
    async show(page) {
      await show(page, '?open=30');
      await page.getByRole('button', { name: 'Revoke token' }).waitFor();
    },
  },
  {
    name: 'create',
    isInEveryLook: true,
    async show(page) {
      await show(page);
      await page.getByRole('button', { name: 'Create token' }).first().click();
      await page.getByRole('checkbox', { name: 'Read: Users' }).waitFor();
    },
  },
  {
    name: 'revoke',
    async show(page) {
      await show(page);
      await page.getByRole('button', { name: 'Revoke: Nightly report' }).click();
      await page.getByRole('dialog', { name: 'Revoke management token' }).waitFor();
    },
  },
];

describeLooks('Management tokens', 'management-tokens', states, looksAt([1440, 1280, 390]));
