import { createClient, settingsRoutes } from '@sluice/contract';
import { beforeAll, expect, it } from 'vitest';
import { page, sluice, startConsole, token, visitAs, visitConsole } from './console.ts';
import { everyLook, expectGoodLooks } from './looks.ts';
import { chooseOption } from './select-field.ts';
import { actFromMenu, callsAs, openUsers } from './users-page.ts';
import { signIn } from './visit.ts';

const ada = { name: 'Ada Keyholder', email: 'ada.keyholder@northwind.dev', password: 'password of ada' };
const section = () => page.getByRole('region', { name: 'Named keys' });
const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });

let adaId: number;
startConsole();
beforeAll(async () => {
  const { id } = await callsAs(token, sluice).users.createUser({ body: { ...ada, role_id: 2 } });
  adaId = id;
});
visitConsole();

const readSecret = async () => {
  const shown = page.getByRole('region', { name: 'New API key' });
  const secret = await shown.locator('code').innerText();
  expect(secret).toMatch(/^slc_\w{36}$/);
  await shown.getByRole('button', { name: 'I stored it' }).click();
  return secret;
};

const statusOf = async (apiKey: string) => {
  const headers = { authorization: `Bearer ${apiKey}` };
  return (await fetch(`${sluice.url}/api/v1/models`, { headers })).status;
};

it('an administrator creates, edits, rotates and revokes a named key of a user', async () => {
  await openUsers(page);
  await actFromMenu(page, 'API key', ada.name);
  await section().getByText('0 of 5').waitFor();
  await section().getByRole('button', { name: 'Create named key' }).click();
  const create = dialog('Create named key');
  await create.getByLabel('Name').fill('CI');
  await create.getByRole('checkbox', { name: 'sandbox-normal', exact: true }).check();
  await create.getByRole('checkbox', { name: 'Anthropic' }).check();
  await create.getByLabel(/^Networks/).fill('office');
  await create.getByRole('button', { name: 'Create key' }).click();

  await create.getByText(/enter IP addresses or ranges/).waitFor();
  await create.getByLabel(/^Networks/).fill('127.0.0.0/8\n::1');
  await create.getByLabel(/^Labels/).fill('project=billing');
  await create.getByRole('button', { name: 'Create key' }).click();
  const first = await readSecret();
  await expect.poll(() => statusOf(first)).toBe(200);

  const item = section().getByRole('listitem');
  await item.getByText('sandbox-normal · Anthropic · 2 networks · project=billing · Never expires').waitFor();
  await expectGoodLooks(page, 'named-keys-of-a-user', everyLook);
  await section().getByRole('button', { name: 'Edit CI' }).click();
  await expectGoodLooks(page, 'edit-named-key', everyLook);
  const edit = dialog('Edit CI');
  await edit.getByLabel('Name').fill('CI of billing');
  await chooseOption(edit, 'Expires', 'In 30 days');
  await edit.getByRole('button', { name: 'Save changes' }).click();
  await item.getByText(/project=billing · Expires /).waitFor();

  await section().getByRole('button', { name: 'Rotate CI of billing' }).click();
  await dialog('Rotate CI of billing').getByRole('button', { name: 'Rotate key' }).click();
  const second = await readSecret();
  await expect.poll(() => statusOf(second)).toBe(200);
  expect(await statusOf(first)).toBe(200);
  await item.getByText('Replaced').waitFor();

  await item.last().getByRole('button', { name: 'Revoke CI of billing' }).click();
  await dialog('Revoke API key').getByRole('button', { name: 'Revoke API key' }).click();
  await expect.poll(() => statusOf(first)).toBe(401);
  expect(await statusOf(second)).toBe(200);
  await expect.poll(() => item.count()).toBe(1);
});

it('a user creates a named key on the API Keys page only if the tenant allows it', async () => {
  const session = await signIn({ ...sluice, ...ada });
  await visitAs(session);
  await callsAs(token, sluice).apiKeys.createUserApiKey({ params: { id: adaId } });
  await page.goto('/dashboard/api-keys');
  await page.getByRole('region', { name: 'API key', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Create named key' }).count()).toBe(0);

  const headers = () => ({ authorization: `Bearer ${token}` });
  const settings = createClient(settingsRoutes, { baseUrl: sluice.url, headers });
  await settings.updateSettings({ body: { users_create_keys: true, users_regenerate_keys: true } });
  await page.reload();
  await section().getByRole('button', { name: 'Create named key' }).click();
  const create = dialog('Create named key');
  await create.getByLabel('Name').fill('laptop');
  await create.getByRole('button', { name: 'Create key' }).click();
  const secret = await readSecret();
  await expect.poll(() => statusOf(secret)).toBe(200);
  await section().getByText('All models · Never expires').waitFor();
  await expectGoodLooks(page, 'own-named-keys', everyLook);
});
