import { createClient, managementTokensRoutes, serviceAccountsRoutes } from '@sluice/contract';
import { expect, it } from 'vitest';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { everyLook, expectGoodLooks } from './looks.ts';
import { chooseOption } from './select-field.ts';

startConsole();
visitConsole();

const options = () => ({ baseUrl: sluice.url, headers: () => ({ authorization: `Bearer ${token}` }) });
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const row = (name: string) => page.getByRole('row').filter({ hasText: name });
/** Narrow lists repeat the texts of hidden columns below the name, so only visible texts match. */
const shownIn = (name: string, text: string) => row(name).getByText(text).filter({ visible: true });

const statusOf = async (secret: string, path: string, method = 'GET') => {
  const headers = { authorization: `Bearer ${secret}` };
  return (await fetch(`${sluice.url}/api/v1${path}`, { method, headers })).status;
};

async function copySecret(): Promise<string> {
  const shown = page.getByRole('region', { name: 'New management token' });
  const secret = await shown.locator('code').innerText();
  expect(secret).toMatch(/^slm_\w{36}$/);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await shown.getByRole('button', { name: 'Copy management token' }).click();
  await page.getByText('Management token copied to clipboard!').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
  await shown.getByRole('button', { name: 'I stored it' }).click();
  return secret;
}

async function revoke(): Promise<void> {
  const question = dialog('Revoke management token');
  await question.getByText(/will be rejected immediately/).waitFor();
  await question.getByRole('button', { name: 'Revoke token' }).click();
  await page.getByText('Management token revoked').waitFor();
}

it('an administrator creates a token, calls routes inside and outside its scopes, and revokes it', async () => {
  await page.goto('/admin/management-tokens');
  await page.getByText('No management tokens yet').waitFor();
  await expectGoodLooks(page, 'management-tokens-none', everyLook);
  await page.getByRole('button', { name: 'Create token' }).first().click();
  const create = dialog('Create management token');
  await create.getByLabel('Name').fill('Nightly report');
  await create.getByRole('button', { name: 'Create token' }).click();
  await create.getByText('Choose at least one scope').waitFor();
  await create.getByRole('checkbox', { name: 'Read: Users' }).check();
  await chooseOption(create, 'Expires', 'In 30 days');
  await create.getByRole('button', { name: 'Create token' }).click();
  const secret = await copySecret();

  await shownIn('Nightly report', 'Expires in 30 days').waitFor();
  expect(await statusOf(secret, '/admin/users')).toBe(200);
  expect(await statusOf(secret, '/admin/budgets')).toBe(403);
  expect(await statusOf(secret, '/admin/users', 'POST')).toBe(403);

  await page.getByRole('button', { name: 'Revoke: Nightly report' }).click();
  await revoke();
  await shownIn('Nightly report', 'Revoked').waitFor();
  await expect.poll(() => statusOf(secret, '/admin/users')).toBe(401);

  await chooseOption(page, 'Status', 'Active');
  await page.getByText('No management tokens found').waitFor();
  await page.getByRole('button', { name: 'Show all tokens' }).click();
  await row('Nightly report').click();
  const details = dialog('Management token details');
  await details.getByRole('heading', { name: 'Nightly report' }).waitFor();
  await details.getByRole('link', { name: 'Calls in the audit log' }).click();
  await page.getByRole('row').filter({ hasText: 'Nightly report' }).first().waitFor();
});

it('a service account gets a token in its details, with only the scopes of its role', async () => {
  const accounts = createClient(serviceAccountsRoutes, options());
  const body = { name: 'Terraform', team_id: null, role: 'user' as const, scores_deviation: false };
  const { id } = await accounts.createServiceAccount({ body });
  await page.goto(`/admin/service-accounts?open=${id}`);
  const section = page.getByRole('region', { name: 'Management tokens' });
  await section.getByRole('button', { name: 'Create token' }).click();
  const create = dialog('Create management token');
  await create.getByLabel('Name').fill('Usage of the account');
  await create.getByRole('checkbox', { name: 'Read: Own account' }).check();
  expect(await create.getByRole('checkbox', { name: 'Read: Users' }).count()).toBe(0);
  await create.getByRole('button', { name: 'Create token' }).click();
  const secret = await copySecret();
  expect(await statusOf(secret, '/user/profile')).toBe(200);
  await section.getByRole('listitem').getByText('Own account (read)').waitFor();
  const tokens = createClient(managementTokensRoutes, options());
  expect(await tokens.listManagementTokens({ query: { user_id: id } })).toMatchObject([
    { name: 'Usage of the account', user_kind: 'service' },
  ]);
  await section.getByRole('button', { name: 'Revoke Usage of the account' }).click();
  await revoke();
  await expect.poll(() => statusOf(secret, '/user/profile')).toBe(401);
  expect(await section.getByRole('listitem').count()).toBe(0);
});
