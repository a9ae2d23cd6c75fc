import { readFile } from 'node:fs/promises';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { findSeriousFaults } from './axe.ts';
import { page, sluice, startConsole, visitConsole } from './console.ts';

const refreshLimitMs = 20_000;

startConsole();

visitConsole();

/** Streams a completion through the gate as any OpenAI client does, and answers its text. */
async function ask(prompt: string, model = 'sandbox-normal'): Promise<string> {
  const client = new OpenAI({ baseURL: `${sluice.url}/api/v1`, apiKey: sluice.apiKey });
  const stream = await client.chat.completions.create({
    model,
    messages: [{ role: 'user', content: prompt }],
    stream: true,
  });
  let text = '';
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  return text;
}

const requests = () => page.getByRole('table', { name: 'Requests' });
const rowOf = (text: string) => page.getByRole('row').filter({ hasText: text });
const details = () => page.getByRole('dialog', { name: 'Log Details' });
const openLog = async (address = '/admin/logs') => {
  await page.goto(address);
  await requests().and(page.locator('[aria-busy="false"]')).waitFor();
};

/** Waits until the log holds a request, and answers its id. */
async function awaitLogged(prompt: string): Promise<string> {
  const row = rowOf(prompt).first();
  await row.waitFor({ timeout: refreshLimitMs });
  const id = await row.getAttribute('data-row');
  if (id === null) throw new Error('A row without an id');
  return id;
}

describe('the request log', () => {
  it('shows a request that went through the gate, and expands to the whole of it', async () => {
    const prompt = `Name the lock gates of the canal, from the sea to the hills, and say who built each. ${'Please. '.repeat(300)}`;
    const answer = await ask(prompt);
    expect(answer).not.toBe('');

    await openLog();
    const row = rowOf(`${prompt.slice(0, 50)}…`);
    await row.waitFor({ timeout: refreshLimitMs });
    expect(await row.innerText()).toContain('sandbox-normal');
    expect(await row.innerText()).toContain('Success');

    await row.getByRole('button', { name: 'Details' }).click();
    const detail = page.getByRole('region', { name: /^Request / });
    await detail.getByRole('region', { name: 'Prompt' }).filter({ hasText: prompt.trim() }).waitFor();
    await detail.getByRole('region', { name: 'Response' }).filter({ hasText: answer.trim() }).waitFor();
    await detail.getByText('No Task').waitFor();
    await detail
      .getByText(/^\d+\.\d% confidence$|\d+\.\d%/)
      .first()
      .waitFor();
    await detail.getByText('No change').waitFor();
  });

  it('has the columns of the specification in their order', async () => {
    await ask('Which columns are there?');
    await page.setViewportSize({ width: 1440, height: 820 });
    await openLog();
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Details',
      'Request ID',
      'Timestamp',
      'User',
      'Prompt',
      'Model',
      'Status',
      'Response Time',
      'Prompt Tokens',
      'Completion Tokens',
      'Task',
    ]);
  });

  it('shows a new request by itself, but not to somebody who reads', async () => {
    await openLog();
    await ask('Does the log follow?');
    await rowOf('Does the log follow?').first().click();
    await details().waitFor();
    await ask('Does the log wait?');
    await page.getByRole('button', { name: /^\d+ new$/ }).waitFor({ timeout: refreshLimitMs });
    expect(await rowOf('Does the log wait?').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^\d+ new$/ }).click();
    await rowOf('Does the log wait?').waitFor();
  });

  it('shows one request in a drawer that its address opens, and goes on to its neighbours', async () => {
    await ask('The earlier request');
    await openLog();
    const earlierId = await awaitLogged('The earlier request');
    await ask('The later request');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await awaitLogged('The later request');

    await openLog(`/admin/logs?open=${earlierId}`);
    await details().getByText(earlierId).waitFor();
    for (const name of ['Token Usage', 'Intent Classification', 'Deviation Scoring', 'Prompt', 'Response']) {
      await details().getByRole('region', { name, exact: true }).waitFor();
    }
    await details().getByRole('button', { name: 'Copy prompt' }).waitFor();
    await details().getByRole('button', { name: 'Previous' }).click();
    await details()
      .getByRole('region', { name: 'Prompt' })
      .filter({ hasText: 'The later request' })
      .waitFor();
    await page.goBack();
    await details()
      .getByRole('region', { name: 'Prompt' })
      .filter({ hasText: 'The earlier request' })
      .waitFor();
    await details().getByRole('button', { name: 'Close' }).click();
    await details().waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  });

  it('says so when the address names a request that is not there', async () => {
    await openLog('/admin/logs?open=019a0000-0000-7000-8000-000000000000');
    await details().getByRole('alert').getByText('Error loading logs: Log entry not found').waitFor();
  });
});

describe('the filters of the request log', () => {
  it('find by model, user, status and text, live in the address, and are cleared at once', async () => {
    await ask('An echo of the lock', 'sandbox-echo');
    await ask('A plain request');
    await openLog();
    await awaitLogged('An echo of the lock');
    await awaitLogged('A plain request');

    const models = page.getByRole('combobox', { name: 'Model' });
    expect(await models.locator('option').allInnerTexts()).toEqual([
      'All Models',
      'sandbox-echo',
      'sandbox-normal',
    ]);
    await models.selectOption('sandbox-echo');
    await page.waitForURL(/model=sandbox-echo/);
    await rowOf('A plain request').waitFor({ state: 'detached' });
    await rowOf('An echo of the lock').waitFor();
    expect(await models.locator('option').count()).toBe(3);

    const users = page.getByRole('combobox', { name: 'User' });
    expect(await users.locator('option').allInnerTexts()).toEqual([
      'All Users',
      `Administrator (${sluice.email})`,
    ]);
    await users.selectOption({ index: 1 });
    await page.waitForURL(/user=\d+/);
    await rowOf('An echo of the lock').waitFor();
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Refused');
    await page.getByText('No logs found matching your filters.').waitFor();
    await page.goBack();
    await rowOf('An echo of the lock').waitFor();

    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await rowOf('A plain request').waitFor();
    expect(new URL(page.url()).search).toBe('');

    await page.getByRole('searchbox', { name: 'Search prompts and responses' }).fill('plain');
    await page.waitForURL(/filter=plain/);
    await rowOf('An echo of the lock').waitFor({ state: 'detached' });
    await rowOf('A plain request').waitFor();
  });

  it('take dates only as a pair', async () => {
    await ask('A request of today');
    await openLog();
    await awaitLogged('A request of today');
    await page.getByLabel('Start Date').fill('2001-01-01');
    await page.waitForURL(/start=2001-01-01/);
    await page.getByText('Choose the end date too: filtering needs both.').waitFor();
    await rowOf('A request of today').waitFor();
    await page.getByLabel('End Date').fill('2001-01-02');
    await page.getByText('No logs found matching your filters.').waitFor();
    await page.getByRole('cell').getByRole('button', { name: 'Clear Filters' }).click();
    await rowOf('A request of today').waitFor();
  });
});

describe('what the request log says', () => {
  it('when it cannot be loaded, with a way to try again', async () => {
    await page.route('**/api/v1/admin/logs?*', (route) =>
      route.fulfill({
        status: 503,
        json: { detail: 'The database is away' },
        headers: { 'x-request-id': 'r-1' },
      }),
    );
    await page.goto('/admin/logs');
    const alert = page.getByRole('alert').filter({ hasText: 'Error loading logs: The database is away' });
    await alert.getByText('r-1').waitFor();
    await page.unroute('**/api/v1/admin/logs?*');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await requests().waitFor();
  });

  it('in a CSV file: the rows loaded, with the columns chosen', async () => {
    await ask('=1+1');
    await openLog('/admin/logs?filter=%3D1%2B1&hide=user.response-time.task&show=total-tokens');
    const id = await awaitLogged('=1+1');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^sluice-logs-\d{4}-\d\d-\d\d\.csv$/);
    const [head, first] = (await readFile(await download.path(), 'utf8')).slice(1).split('\r\n');
    expect(head).toBe(
      'Request ID,Timestamp,Prompt,Model,Status,Prompt Tokens,Completion Tokens,Total Tokens',
    );
    expect(first).toMatch(new RegExp(`^${id},\\d{4}-.+Z,'=1\\+1,sandbox-normal,success,\\d+,\\d+,\\d+$`));
    await page.getByRole('button', { name: 'Exported 1 row' }).waitFor();
  });

  it('ticks the first steps once a request came through', async () => {
    await ask('A first request');
    await page.goto('/admin');
    await page
      .getByRole('heading', { name: /Send a request through the gate.*done/ })
      .waitFor({ timeout: refreshLimitMs });
  });
});

describe.each([1440, 1024, 390])('at %i px', (width) => {
  it.each(['light', 'dark'] as const)('the log and its drawer are accessible, %s', async (colorScheme) => {
    await ask('Is this readable?');
    await page.setViewportSize({ width, height: 820 });
    await page.emulateMedia({ colorScheme });
    await openLog();
    const id = await awaitLogged('Is this readable?');
    expect(await findSeriousFaults(page)).toEqual([]);
    await openLog(`/admin/logs?open=${id}`);
    await details().getByRole('region', { name: 'Response' }).waitFor();
    expect(await findSeriousFaults(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });
});
