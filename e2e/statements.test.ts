import { readFile } from 'node:fs/promises';
import { beforeAll, expect, it } from 'vitest';
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

async function ask(): Promise<void> {
  const response = await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox-normal', messages: [{ role: 'user', content: 'Sort a list' }] }),
  });
  expect(response.status, await response.text()).toBe(200);
}

it('labels of a user appear in the statement of the month, which is exported and printed', async () => {
  await ask();
  await page.goto(`/admin/users?open=${userId}`);
  const labels = page.getByRole('region', { name: 'Labels' });
  await labels.getByText('No labels, such as a cost center.').waitFor();
  await labels.getByRole('button', { name: 'Edit labels' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit Labels' });
  await dialog.getByLabel('Labels (one per line)').fill('Cost Center=4711');
  await dialog.getByRole('button', { name: 'Save Labels' }).click();
  await dialog.getByText(/A label name has 1 to 63 lowercase letters/).waitFor();
  await dialog.getByLabel('Labels (one per line)').fill('cost_center=4711\nproject=apollo');
  await dialog.getByRole('button', { name: 'Save Labels' }).click();
  await labels.getByText('cost_center=4711', { exact: true }).waitFor();
  await ask();
  await ask();

  const month = new Date().toISOString().slice(0, 7);
  const sheet = page.getByRole('article', { name: 'Statement' });
  const row = (name: string) => sheet.getByRole('row').filter({ hasText: name });
  await expect
    .poll(async () => {
      await page.goto(`/admin/statements?month=${month}&label=cost_center`);
      return row('Total').innerText();
    })
    .toMatch(/^Total\s+3\s/);
  expect(await row('4711').innerText()).toMatch(/^4711\s+2\s/);
  expect(await row('Without cost_center').innerText()).toMatch(/^Without cost_center\s+1\s/);
  await sheet.getByText('Equal to the ledger').waitFor();
  await sheet.getByText('This month is not over. The figures are those so far.').waitFor();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(new RegExp(`^sluice-statement-${month}-[\\d-]+\\.csv$`));
  const file = await readFile(await download.path(), 'utf8');
  expect(file.split('\r\n').map((line) => line.split(',').slice(1, 4).join(' '))).toEqual([
    'kind cost_center requests',
    'value 4711 2',
    'none  1',
    'total  3',
    '',
  ]);

  await page.emulateMedia({ media: 'print' });
  expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
  expect(await sheet.isVisible()).toBe(true);
  await page.emulateMedia({ media: 'screen' });

  await page.goto('/admin/logs?filter=label:cost_center%3D4711');
  await page.getByText('2 requests').first().waitFor();
});
