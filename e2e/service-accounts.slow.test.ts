import { expect, it } from 'vitest';
import { page, sluice, startConsole, visitConsole } from './console.ts';

startConsole();
visitConsole();

const dialog = (name: string) => page.getByRole('dialog', { name, exact: true });
const nightly = () => page.getByRole('row').filter({ hasText: 'Nightly evaluation' });

it('a new service account is offered access, says what it lacks until then, and its key works afterwards', async () => {
  await page.goto('/admin/service-accounts');
  await page.getByRole('button', { name: 'Create service account' }).first().click();
  const create = dialog('Create service account');
  await create.getByLabel('Name').fill('Nightly evaluation');
  await create.getByRole('button', { name: 'Create service account' }).click();
  const offered = dialog('Service account created: give access to Nightly evaluation');
  await offered.getByRole('button', { name: 'Not now' }).click();
  await offered.waitFor({ state: 'detached' });

  await nightly().getByText('No task, no models').filter({ visible: true }).waitFor();
  await nightly().click();
  const details = dialog('Service account details');
  await details.getByText('Requests are refused, because the account has no task and no models.').waitFor();
  await details.getByRole('button', { name: 'Give access' }).click();
  const access = dialog('Give access to Nightly evaluation');
  await access.getByRole('button', { name: 'Give access' }).click();
  await access.getByText('Nightly evaluation has a task and models.').waitFor();
  await access.getByRole('button', { name: 'Done' }).click();
  await details.getByText('Requests are refused').waitFor({ state: 'detached' });
  await details.getByRole('button', { name: 'Create named key' }).click();
  const key = dialog('Create named key');
  await key.getByLabel('Name').fill('Scheduler');
  await key.getByRole('button', { name: 'Create key' }).click();
  const secret = await page.getByRole('region', { name: 'New API key' }).locator('code').innerText();

  const answer = await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-normal', messages: [{ role: 'user', content: 'Say hello' }] }),
  });
  expect(answer.status, await answer.text()).toBe(200);
});
