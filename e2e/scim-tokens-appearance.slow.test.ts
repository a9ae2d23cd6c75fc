import type { ScimToken } from '@sluice/contract';
import { shareConsole } from './console.ts';
import { describeLooks } from './looks.ts';
import { answer } from './users-page.ts';

shareConsole();

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

function describeToken(id: number, name: string, fields: Partial<ScimToken>): ScimToken {
  return {
    id,
    name,
    masked_token: 'scim_…x7Qk',
    can_assign_roles: false,
    created_by_name: 'Ada Lovelace',
    created_at: inDays(-30),
    last_used_at: inDays(-0.01),
    expires_at: inDays(335),
    is_expired: false,
    former_expires_at: null,
    ...fields,
  };
}

const tokens = [
  describeToken(1, 'Entra ID', { can_assign_roles: true, former_expires_at: inDays(0.9) }),
  describeToken(2, 'Okta, subsidiary in the Netherlands', { expires_at: inDays(12) }),
  describeToken(3, 'Pilot', { expires_at: inDays(-3), is_expired: true, last_used_at: null }),
];

describeLooks('the SCIM tokens', 'scim-tokens', [
  {
    name: 'listed',
    isInEveryLook: true,
    show: async (page) => {
      const body = { base_url: 'https://llm.example.com/scim/v2', scim_tokens: tokens };
      await page.route('**/api/v1/admin/scim-tokens', answer(200, body));
      await page.goto('/admin/settings');
      await page.getByRole('heading', { name: 'Test the policy' }).waitFor();
      await page.getByRole('button', { name: 'Create SCIM token' }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'dialog',
    isInEveryLook: true,
    show: async (page) => {
      await page.goto('/admin/settings');
      await page.getByRole('button', { name: 'Create SCIM token' }).click();
      await page.getByRole('dialog', { name: 'Create SCIM token' }).waitFor();
    },
  },
]);
