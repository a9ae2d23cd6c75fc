import { createClient, logsOf, logsRoutes } from '@sluice/contract';
import { beforeAll, expect, it, vi } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { expectGoodLooks, looksAt } from './looks.ts';
import { chooseOption, selectField } from './select-field.ts';

startConsole();

visitConsole({ viewport: { width: 1280, height: 820 } });

const log = () =>
  createClient(logsRoutes, {
    baseUrl: sluice.url,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });

async function send(prompt: string, model = 'sandbox-normal'): Promise<void> {
  const response = await fetch(`${sluice.url}/api/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sluice.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: prompt }], max_tokens: 20 }),
  });
  await response.text();
  const id = response.headers.get('x-request-id') ?? '';
  await vi.waitFor(() => log().getLog({ params: { id } }), { timeout: 30_000 });
}

async function sendMany(count: number, prompt: string): Promise<void> {
  await Promise.all(Array.from({ length: count }, (_, index) => send(`${prompt} ${index + 1}`)));
}

const requests = () => page.getByRole('table', { name: 'Requests' });
const settled = () => requests().and(page.locator('[aria-busy="false"]')).waitFor();
const open = async (search = '') => {
  await page.goto(`/admin/logs${search}`);
  await settled();
};
const shownIds = () =>
  requests()
    .locator('tr[data-row]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')));
const chips = () => page.getByRole('list', { name: 'Active filters' }).getByRole('button').allInnerTexts();
const queryField = () => page.getByLabel('Search prompts and responses');

beforeAll(async () => {
  await sendMany(30, 'Which lock is first?');
  await send('Which model is this?', 'no-such-model');
});

it('the second page of the log continues after the first, regardless of newer rows', async () => {
  await open('?size=25');
  const first = await shownIds();
  expect(first).toHaveLength(25);
  await sendMany(3, 'A late one');
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.waitForURL(/page=2/);
  await settled();
  await expect.poll(async () => (await shownIds()).some((id) => first.includes(id))).toBe(false);
  const second = await shownIds();
  const all = logsOf(await log().listLogs({ query: { limit: 200 } })).map(({ id }) => id);
  expect([...first, ...second]).toEqual(all.slice(3));
  await page.reload();
  await settled();
  expect(await shownIds()).toEqual(second);
});

it('filters of the log appear as chips, and the query matches the filter fields', async () => {
  await open('?filter=status%3Asuccess%20lock');
  expect(await chips()).toEqual(['status:success', '“lock”']);
  expect(await selectField(page, 'Status').inputValue()).toBe('Success');
  await chooseOption(page, 'Status', 'Refused');
  await page.waitForURL(/status=refused/);
  await expect.poll(chips).toEqual(['Status: Refused', '“lock”']);
  expect(await queryField().inputValue()).toBe('lock');
  await queryField().fill('status:refused model:no*');
  await expect.poll(chips).toEqual(['status:refused', 'model:no*']);
  await page.getByText('no-such-model').first().waitFor();
  await page.getByRole('button', { name: 'Remove the filter model:no*' }).click();
  await expect.poll(() => queryField().inputValue()).toBe('status:refused');
});

itAtFullSize('time presets are written to the log query, and date ranges may be open-ended', async () => {
  await open();
  await chooseOption(page, 'Time', 'Last hour');
  await expect.poll(() => queryField().inputValue()).toBe('since:1h');
  await settled();
  expect((await shownIds()).length).toBeGreaterThan(25);
  await chooseOption(page, 'Time', 'Yesterday');
  await expect.poll(chips).toEqual(['since:yesterday', 'until:yesterday']);
  await page.getByText('No logs found matching your filters.').waitFor();
  await page.getByLabel('Start Date').fill('2001-01-01');
  await page.getByText('Choose the end date too. Filtering by date requires both.').waitFor();
  await page.getByRole('button', { name: 'Show all since 2001-01-01' }).click();
  await expect.poll(() => queryField().inputValue()).toBe('since:2001-01-01');
  await expect.poll(async () => (await shownIds()).length).toBeGreaterThan(25);
});

itAtFullSize('a log query with a syntax error shows no rows, and marks the error', async () => {
  await open();
  await queryField().fill('status:success since:monday');
  await page.getByText('"monday" is not a valid value for since').waitFor();
  expect(await page.locator('mark').innerText()).toBe('since:monday');
  await page.getByText('Invalid query. Correct it above to see requests.').waitFor();
  expect(await shownIds()).toEqual([]);
  await expectGoodLooks(page, 'log-unreadable', looksAt([1440, 390]));
  await queryField().fill('status:success since:1h');
  await expect.poll(async () => (await shownIds()).length).toBeGreaterThan(25);
});

it('the details of a rejected request show the rule and link to the page that can change it', async () => {
  await open('?status=refused');
  await requests().locator('tr[data-row]').first().click();
  const details = page.getByRole('dialog', { name: 'Log Details' });
  const refusal = details.getByRole('region', { name: 'Refusal' });
  await refusal.getByText('model_not_found').waitFor();
  await refusal.getByText('Rule').waitFor();
  await expectGoodLooks(page, 'log-refusal', looksAt([1440, 1280, 390]));
  await refusal.getByRole('link', { name: 'Provider Access' }).click();
  await page.waitForURL(/provider-access\?explain=\d+&model=no-such-model/);
});

itAtFullSize('the details of a request split its cost by part', async () => {
  await open('?status=success');
  await requests().locator('tr[data-row]').first().click();
  const details = page.getByRole('dialog', { name: 'Log Details' });
  const usage = details.getByRole('region', { name: 'Token Usage' });
  await usage.getByRole('table', { name: 'Cost by part' }).getByText('Output').waitFor();
  await expectGoodLooks(page, 'log-details', looksAt([1440, 1280, 390]));
});
