import { readFile } from 'node:fs/promises';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { page, sluice, startConsole, visitConsole } from './console.ts';
import { expectGoodLooks } from './looks.ts';
import { chooseOption, readOptions } from './select-field.ts';

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

let prompts = 0;
/** A prompt that no earlier try has sent. */
const promptOf = (text: string) => `${text} (${++prompts})`;

/** Waits until the log holds a request, and answers its id. */
async function awaitLogged(prompt: string): Promise<string> {
  const row = rowOf(prompt).first();
  await row.waitFor();
  const id = await row.getAttribute('data-row');
  if (id === null) throw new Error('A row without an id');
  return id;
}

describe('the request log', () => {
  it('shows a request that went through the gate, and expands to the whole of it', async () => {
    const prompt = `${promptOf('Name the lock gates')} of the canal, from the sea to the hills, and say who built each. ${'Please. '.repeat(300)}`;
    const answer = await ask(prompt);
    expect(answer).not.toBe('');

    await openLog();
    const row = rowOf(`${prompt.slice(0, 50)}…`);
    await row.waitFor();
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

  it('has its columns in their order', async () => {
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
    const [first, second] = [promptOf('Does the log follow?'), promptOf('Does the log wait?')];
    await openLog();
    await ask(first);
    await rowOf(first).first().click();
    await details().waitFor();
    await ask(second);
    await page.getByRole('button', { name: /^\d+ new$/ }).waitFor();
    expect(await rowOf(second).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^\d+ new$/ }).click();
    await rowOf(second).waitFor();
  });

  it('shows one request in a drawer that its address opens, and goes on to its neighbours', async () => {
    const [earlier, later] = [promptOf('The earlier request'), promptOf('The later request')];
    await ask(earlier);
    await openLog();
    const earlierId = await awaitLogged(earlier);
    await ask(later);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await awaitLogged(later);

    await openLog(`/admin/logs?open=${earlierId}`);
    await details().getByText(earlierId).waitFor();
    for (const name of ['Token Usage', 'Intent Classification', 'Deviation Scoring', 'Prompt', 'Response']) {
      await details().getByRole('region', { name, exact: true }).waitFor();
    }
    await details().getByRole('button', { name: 'Copy prompt' }).waitFor();
    await details().getByRole('button', { name: 'Previous' }).click();
    await details().getByRole('region', { name: 'Prompt' }).filter({ hasText: later }).waitFor();
    await page.goBack();
    await details().getByRole('region', { name: 'Prompt' }).filter({ hasText: earlier }).waitFor();
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
    const [echo, plain] = [promptOf('An echo of the lock'), promptOf('A plain request')];
    await ask(echo, 'sandbox-echo');
    await ask(plain);
    await openLog();
    await awaitLogged(echo);
    await awaitLogged(plain);

    await expect
      .poll(() => readOptions(page, 'Model'))
      .toEqual(['All Models', 'sandbox-echo', 'sandbox-normal']);
    await chooseOption(page, 'Model', 'sandbox-echo');
    await page.waitForURL(/model=sandbox-echo/);
    await rowOf(plain).waitFor({ state: 'detached' });
    await rowOf(echo).waitFor();
    expect(await readOptions(page, 'Model')).toHaveLength(3);

    await expect
      .poll(() => readOptions(page, 'User'))
      .toEqual(['All Users', `Administrator (${sluice.email})`]);
    await chooseOption(page, 'User', `Administrator (${sluice.email})`);
    await page.waitForURL(/user=\d+/);
    await rowOf(echo).waitFor();
    await chooseOption(page, 'Status', 'Refused');
    await page.getByText('No logs found matching your filters.').waitFor();
    await page.goBack();
    await rowOf(echo).waitFor();

    await page.getByRole('button', { name: 'Clear Filters' }).click();
    await rowOf(plain).waitFor();
    expect(new URL(page.url()).search).toBe('');

    await page.getByRole('searchbox', { name: 'Search prompts and responses' }).fill('plain');
    await page.waitForURL(/filter=plain/);
    await rowOf(echo).waitFor({ state: 'detached' });
    await rowOf(plain).waitFor();
  });

  it('take dates only as a pair', async () => {
    const prompt = promptOf('A request of today');
    await ask(prompt);
    await openLog();
    await awaitLogged(prompt);
    await page.getByLabel('Start Date').fill('2001-01-01');
    await page.waitForURL(/start=2001-01-01/);
    await page.getByText('Choose the end date too: date filtering needs both.').waitFor();
    await rowOf(prompt).waitFor();
    await page.getByLabel('End Date').fill('2001-01-02');
    await page.getByText('No logs found matching your filters.').waitFor();
    await page.getByRole('cell').getByRole('button', { name: 'Clear Filters' }).click();
    await rowOf(prompt).waitFor();
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
    const formula = `=1+${++prompts}`;
    await ask(formula);
    const filter = encodeURIComponent(formula);
    await openLog(`/admin/logs?filter=${filter}&hide=user.response-time.task&show=total-tokens`);
    const id = await awaitLogged(formula);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ]);
    await page.getByRole('button', { name: 'Exported 1 row' }).waitFor();
    expect(download.suggestedFilename()).toMatch(/^sluice-logs-\d{4}-\d\d-\d\d\.csv$/);
    const [head, first] = (await readFile(await download.path(), 'utf8')).slice(1).split('\r\n');
    expect(head).toBe(
      'Request ID,Timestamp,Prompt,Model,Status,Prompt Tokens,Completion Tokens,Total Tokens',
    );
    expect(first).toMatch(
      new RegExp(`^${id},\\d{4}-.+Z,'${RegExp.escape(formula)},sandbox-normal,success,\\d+,\\d+,\\d+$`),
    );
  });

  it('ticks the first steps once a request came through', async () => {
    await ask('A first request');
    await page.goto('/admin');
    await page.getByRole('heading', { name: /Send a request through the gate.*done/ }).waitFor();
  });
});

it.each([1440, 1024, 390])(
  'the log and its drawer are accessible at %i px, light and dark',
  async (width) => {
    const looks = [
      { width, colorScheme: 'light' },
      { width, colorScheme: 'dark' },
    ] as const;
    await ask('Is this readable?');
    await page.setViewportSize({ width, height: 820 });
    await openLog();
    const id = await awaitLogged('Is this readable?');
    await expectGoodLooks(page, 'log-rows', looks);
    await openLog(`/admin/logs?open=${id}`);
    await details().getByRole('region', { name: 'Response' }).waitFor();
    await expectGoodLooks(page, 'log-drawer', looks);
  },
);
