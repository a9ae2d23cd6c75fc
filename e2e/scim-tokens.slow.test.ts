import { createClient, usersRoutes } from '@sluice/contract';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { chooseOption } from './select-field.ts';

startConsole();
visitConsole();

const dialog = (name: string) => page.getByRole('dialog', { name });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const secretShown = async () =>
  (await page.locator('code', { hasText: /^scim_\w{36}$/ }).textContent()) ?? '';

async function createToken(name: string): Promise<string> {
  await page.goto('/admin/settings');
  await button('Create SCIM token').click();
  await dialog('Create SCIM token').getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await dialog('Create SCIM token').getByRole('button', { name: 'Create token' }).click();
  const secret = await secretShown();
  await button('I stored it').click();
  return secret;
}

const created = z.object({ id: z.coerce.number() });

const callScim = (secret: string, init: RequestInit = {}) =>
  fetch(`${sluice.url}/scim/v2/Users`, {
    ...init,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/scim+json' },
  });

describe('SCIM tokens in the settings', () => {
  it('an administrator creates, rotates and revokes a SCIM token, which provisions a user', async () => {
    const secret = await createToken('Entra ID');
    await page.getByRole('listitem').filter({ hasText: 'Entra ID' }).getByText('Last used: Never').waitFor();
    await page.getByText(/\/scim\/v2$/).waitFor();
    const answer = await callScim(secret, {
      method: 'POST',
      body: JSON.stringify({ userName: 'ada@scim.test', displayName: 'Ada of SCIM' }),
    });
    expect(answer.status).toBe(201);
    const { id } = created.parse(await answer.json());

    await page.goto(`/admin/users?open=${id}`);
    await page.getByText('Provisioned by SCIM').waitFor();

    await page.goto('/admin/settings');
    await button('Rotate Entra ID').click();
    await chooseOption(page, 'Previous secret stays valid for', 'Not at all');
    await dialog('Rotate SCIM token').getByRole('button', { name: 'Rotate token' }).click();
    const rotated = await secretShown();
    expect((await callScim(secret)).status).toBe(401);
    expect((await callScim(rotated)).status).toBe(200);
    await button('I stored it').click();

    await button('Revoke Entra ID').click();
    await dialog('Revoke SCIM token').getByRole('button', { name: 'Revoke token' }).click();
    await page.getByText('SCIM token revoked').waitFor();
    await page.getByText('No identity provider has a token yet.').waitFor();
    expect((await callScim(rotated)).status).toBe(401);
  });

  itAtFullSize('a SCIM token is renamed and gets the right to assign roles', async () => {
    const secret = await createToken('Okta');
    await button('Edit Okta').click();
    const edit = dialog('Edit SCIM token');
    await edit.getByRole('textbox', { name: 'Name', exact: true }).fill('Okta production');
    await edit.getByRole('switch', { name: 'May assign the roles admin and user' }).check();
    await edit.getByRole('button', { name: 'Save changes' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Okta production' });
    await row.getByText('Assigns roles').waitFor();
    const body = JSON.stringify({ userName: 'boss@scim.test', roles: [{ value: 'admin' }] });
    const answer = await callScim(secret, { method: 'POST', body });
    const { id } = created.parse(await answer.json());
    const users = createClient(usersRoutes, {
      baseUrl: sluice.url,
      headers: () => ({ authorization: `Bearer ${token}` }),
    });
    expect(await users.getUser({ params: { id } })).toMatchObject({ role_name: 'admin' });
  });
});
