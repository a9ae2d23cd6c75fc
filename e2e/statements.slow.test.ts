import { readFile } from 'node:fs/promises';
import { createClient, labelsRoutes } from '@sluice/contract';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { callsAs } from './users-page.ts';

let apiKey: string;
let userId: number;

startConsole();
beforeAll(async () => {
  const calls = callsAs(token, sluice);
  const [administrator] = await calls.users.listUsers({ query: {} });
  userId = administrator!.id;
  const { api_key } = await calls.apiKeys.createApiKey({ body: { user_id: userId, name: 'statement' } });
  apiKey = api_key;
});
visitConsole({ viewport: { width: 1440, height: 820 } });
beforeEach(async () => {
  const headers = () => ({ authorization: `Bearer ${token}` });
  const labels = createClient(labelsRoutes, { baseUrl: sluice.url, headers });
  await labels.setUserLabels({ params: { id: userId }, body: { labels: {} } });
});

async function ask(): Promise<void> {
  const response = await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-normal', messages: [{ role: 'user', content: 'Sort a list' }] }),
  });
  expect(response.status, await response.text()).toBe(200);
}

it('labels of a user appear in the statement of the month, which is exported and printed', async () => {
  const center = `c-${crypto.randomUUID().slice(0, 8)}`;
  await ask();
  await page.goto(`/admin/users?open=${userId}`);
  const labels = page.getByRole('region', { name: 'Labels' });
  await labels.getByText('No labels yet. Add one, such as a cost center.').waitFor();
  await labels.getByRole('button', { name: 'Edit labels' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit labels' });
  await dialog.getByLabel('Labels (one per line)').fill('Cost Center=4711');
  await dialog.getByRole('button', { name: 'Save labels' }).click();
  await dialog.getByText(/A label name has 1 to 63 lowercase letters/).waitFor();
  await dialog.getByLabel('Labels (one per line)').fill(`cost_center=${center}\nproject=apollo`);
  await dialog.getByRole('button', { name: 'Save labels' }).click();
  await labels.getByText(`cost_center=${center}`, { exact: true }).waitFor();
  await ask();
  await ask();

  const month = new Date().toISOString().slice(0, 7);
  const sheet = page.getByRole('article', { name: 'Statement' });
  const row = (name: string) => sheet.getByRole('row').filter({ hasText: name });
  await expect
    .poll(async () => {
      await page.goto(`/admin/statements?month=${month}&label=cost_center`);
      await sheet.waitFor();
      return (await row(center).allInnerTexts()).join();
    })
    .toMatch(/^c-[0-9a-f]{8}\s+2\s/);
  await row('Without cost_center').waitFor();
  await row('Total').waitFor();
  await sheet.getByText('Equal to the ledger').waitFor();
  await sheet.getByText('This month is not over. The figures are not final.').waitFor();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`^sluice-statement-${month}-[\\d-]+\\.csv$`));
  const file = await readFile(await download.path(), 'utf8');
  expect(file).toContain(`${month},value,${center},2,`);
  expect(file).toMatch(new RegExp(`\\n${month},none,,\\d+,.*\\r\\n${month},total,,\\d+,`));

  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
  expect(await sheet.isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen' });

  await sheet.getByRole('link', { name: center }).click();
  await page.getByText('2 requests').first().waitFor();
});
