import { readFile } from 'node:fs/promises';
import { createClient, logsRoutes } from '@sluice/contract';
import OpenAI, { APIError } from 'openai';
import { describe, expect, it, vi } from 'vitest';
import { itAtFullSize, itSampled } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { specifiedLogColumns } from './log-columns.ts';
import { expectGoodLooks, looksAt } from './looks.ts';
import { chooseOption, readOptions } from './select-field.ts';

startConsole();

visitConsole();

const readLog = (id: string) =>
  createClient(logsRoutes, {
    baseUrl: sluice.url,
    headers: () => ({ authorization: `Bearer ${token}` }),
  }).getLog({ params: { id } });

const untilLogged = (id: string | null) => vi.waitFor(() => readLog(id ?? ''), { timeout: 30_000 });

/** Returns the text when the request is logged. */
async function ask(prompt: string, model = 'sandbox-normal'): Promise<string> {
  const client = new OpenAI({ baseURL: `${sluice.url}/api/v1`, apiKey: sluice.apiKey });
  const { data: stream, response } = await client.chat.completions
    .create({ model, messages: [{ role: 'user', content: prompt }], stream: true })
    .withResponse();
  let text = '';
  for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
  await untilLogged(response.headers.get('x-request-id'));
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
const promptOf = (text: string) => `${text} (${++prompts})`;

async function awaitLogged(prompt: string): Promise<string> {
  const row = rowOf(prompt).first();
  await row.waitFor();
  const id = await row.getAttribute('data-row');
  if (id === null) throw new Error('A row without an id');
  return id;
}

describe('the request log', () => {
  it('the request log lists a request to the gateway and expands its details', async () => {
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

  itAtFullSize('the request log shows the full content of a request on demand', async () => {
    const prompt = promptOf('Who tends the gateways of the upper canal?');
    await ask(prompt);
    await openLog();
    const id = await awaitLogged(prompt);
    await openLog(`/admin/logs?open=${id}`);
    await details().getByText('Full request').click();
    const whole = details().getByRole('region', { name: 'Full request' });
    await whole.filter({ hasText: '"stream": true' }).waitFor();
    expect(JSON.parse(await whole.innerText())).toEqual({
      model: 'sandbox-normal',
      messages: [{ role: 'user', content: prompt }],
      stream: true,
    });
    await details()
      .getByText(/^Stored in full, \d+ B\.$/)
      .waitFor();
  });

  itAtFullSize('the request log has its columns in the specified order', async () => {
    await ask('Which columns are there?');
    await page.setViewportSize({ width: 1440, height: 820 });
    await openLog();
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      'Details',
      ...specifiedLogColumns,
      'Cost',
    ]);
  });

  itSampled(3).each([1280, 1440, 1920])(
    'the request log shows all its columns without sideways scroll at %d px',
    async (width) => {
      await page.setViewportSize({ width, height: 820 });
      await ask('Is every column in sight?');
      await openLog();
      const box = await page.getByRole('columnheader', { name: 'Cost' }).boundingBox();
      expect((box?.x ?? width) + (box?.width ?? width)).toBeLessThanOrEqual(width);
      const cut = await rowOf('Is every column in sight?')
        .first()
        .getByRole('cell')
        .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
      expect(cut).toBe(0);
    },
  );

  itAtFullSize('the request log keeps the id of a row visible when it scrolls sideways', async () => {
    await page.setViewportSize({ width: 1280, height: 820 });
    await ask('Is the id in sight?');
    await openLog('/admin/logs?show=provider.api-key.error.intent');
    const id = page.getByRole('columnheader', { name: 'Request ID' });
    const before = await id.boundingBox();
    await page.getByRole('columnheader', { name: 'Error' }).scrollIntoViewIfNeeded();
    expect(await id.boundingBox()).toEqual(before);
  });

  itAtFullSize('the request log shows in the row why a request was rejected', async () => {
    const rejected = await ask('Which models are there?', 'no-such-model').catch((error: APIError) => error);
    expect(rejected).toBeInstanceOf(APIError);
    await untilLogged(rejected instanceof APIError ? (rejected.requestID ?? null) : null);
    await openLog('/admin/logs?status=refused');
    await page
      .getByRole('cell', { name: /^Refused Model not found/ })
      .first()
      .waitFor();
  });

  itAtFullSize('the request log adds new requests automatically, except while details are open', async () => {
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

  it('the request log opens the request named in the URL in a drawer, moves to the previous row, and returns by the browser history', async () => {
    const [earlier, later] = [promptOf('The earlier request'), promptOf('The later request')];
    await ask(earlier);
    await openLog();
    const earlierId = await awaitLogged(earlier);
    await ask(later);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await awaitLogged(later);

    await openLog(`/admin/logs?open=${earlierId}`);
    await details().getByText(earlierId).first().waitFor();
    await details().getByRole('heading', { name: 'Log Details', level: 2 }).waitFor();
    await details().getByRole('region', { name: 'Response', exact: true }).waitFor();
    expect(await details().getByRole('heading', { level: 3 }).allInnerTexts()).toEqual([
      'Intent Classification',
      'Deviation Scoring',
      'Token Usage',
      'Prompt',
      'Response',
    ]);
    await details().getByRole('button', { name: 'Copy prompt' }).waitFor();
    await details().getByRole('button', { name: 'Previous' }).click();
    await details().getByRole('region', { name: 'Prompt' }).filter({ hasText: later }).waitFor();
    await page.goBack();
    await details().getByRole('region', { name: 'Prompt' }).filter({ hasText: earlier }).waitFor();
    await details().getByRole('button', { name: 'Close' }).click();
    await details().waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  });

  itAtFullSize('the request log shows an error if the URL names an unknown request', async () => {
    await openLog('/admin/logs?open=019a0000-0000-7000-8000-000000000000');
    await details().getByRole('alert').getByText('Error loading logs: Log entry not found').waitFor();
  });
});

describe('the filters of the request log', () => {
  it('log filters match model, user, status and text, are kept in the URL, and are cleared together', async () => {
    const [echo, plain] = [promptOf('An echo of the lock'), promptOf('A plain request')];
    await ask(echo, 'sandbox-echo');
    await ask(plain);
    await openLog();
    await awaitLogged(echo);
    await awaitLogged(plain);

    await expect
      .poll(() => readOptions(page, 'Model'))
      .toEqual(expect.arrayContaining(['All Models', 'sandbox-echo', 'sandbox-normal']));
    const models = await readOptions(page, 'Model');
    await chooseOption(page, 'Model', 'sandbox-echo');
    await page.waitForURL(/model=sandbox-echo/);
    await rowOf(plain).waitFor({ state: 'detached' });
    await rowOf(echo).waitFor();
    expect(await readOptions(page, 'Model')).toEqual(models);

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

    await page.getByLabel('Search prompts and responses').fill('plain');
    await page.waitForURL(/filter=plain/);
    await rowOf(echo).waitFor({ state: 'detached' });
    await rowOf(plain).waitFor();
  });

  itAtFullSize('log filters parse a query of fields and words and explain errors in the query', async () => {
    const [echo, plain] = [promptOf('An echo by the line'), promptOf('A plain one by the line')];
    await ask(echo, 'sandbox-echo');
    await ask(plain);
    await openLog('/admin/logs?filter=model%3A*echo%20line');
    await rowOf(echo).waitFor();
    expect(await rowOf(plain).count()).toBe(0);
    await page.getByLabel('Search prompts and responses').fill('stauts:error');
    await page.getByText('"stauts:" is not a field.').waitFor();
  });

  it('log filters are chosen from facets with counts', async () => {
    const echo = promptOf('An echo by its facet');
    await ask(echo, 'sandbox-echo');
    await openLog();
    await page.getByRole('button', { name: 'Facets' }).click();
    await page
      .getByRole('region', { name: 'Facets' })
      .getByRole('button', { name: /^sandbox-echo/ })
      .click();
    await page.waitForURL(/model=sandbox-echo/);
    await rowOf(echo).waitFor();
  });

  itAtFullSize(
    'log filters show the time zone of dates and report a reversed range at the field',
    async () => {
      await openLog('/admin/logs?start=2026-02-02&end=2026-02-01');
      await page.getByText('Must not be before the start date', { exact: true }).waitFor();
      await page.getByText('The end date must not be before the start date.').waitFor();
      expect(await page.getByRole('status', { name: 'Totals' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Export CSV' }).count()).toBe(0);
      await page.getByText('Dates and times are in UTC.').waitFor();
    },
  );

  itAtFullSize('log filters can be saved as a view in this browser', async () => {
    await openLog('/admin/logs?status=error');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByLabel('Save this view as').fill('Only errors');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await openLog('/admin/logs');
    await page.getByRole('button', { name: 'Views' }).click();
    await page.getByRole('link', { name: 'Only errors' }).click();
    await page.waitForURL(/status=error/);
    await page.getByLabel('Save this view as').waitFor({ state: 'hidden' });
  });

  itAtFullSize('log filters accept dates only as a pair', async () => {
    const prompt = promptOf('A request of today');
    await ask(prompt);
    await openLog();
    await awaitLogged(prompt);
    await page.getByLabel('Start Date').fill('2001-01-01');
    await page.waitForURL(/start=2001-01-01/);
    await page.getByText('Choose the end date too. Filtering by date requires both.').waitFor();
    await rowOf(prompt).waitFor();
    await page.getByLabel('End Date').fill('2001-01-02');
    await page.getByText('No logs found matching your filters.').waitFor();
    await page.getByRole('cell').getByRole('button', { name: 'Clear Filters' }).click();
    await rowOf(prompt).waitFor();
  });
});

describe('messages of the request log', () => {
  itAtFullSize('the request log shows a loading error with a retry button', async () => {
    await page.route('**/api/v1/admin/logs?*', (route) =>
      route.fulfill({
        status: 503,
        json: { detail: 'The database is unavailable' },
        headers: { 'x-request-id': 'r-1' },
      }),
    );
    await page.goto('/admin/logs');
    const alert = page
      .getByRole('alert')
      .filter({ hasText: 'Error loading logs: The database is unavailable' });
    await alert.getByText('r-1').waitFor();
    await page.unroute('**/api/v1/admin/logs?*');
    await alert.getByRole('button', { name: 'Try Again' }).click();
    await requests().waitFor();
  });

  itSampled(2).each(['CSV', 'JSONL'] as const)(
    'the log export as %s contains the row that matches the filter and shows the number of rows first',
    async (format) => {
      const formula = `=1+${++prompts}`;
      await ask(formula);
      await openLog(`/admin/logs?filter=${encodeURIComponent(formula)}&size=25`);
      const id = await awaitLogged(formula);
      await page.getByRole('button', { name: 'Export CSV' }).click();
      const dialog = page.getByRole('dialog', { name: 'Export logs' });
      await dialog.getByText('1 request matches the filters.').waitFor();
      await dialog.getByText(format, { exact: true }).click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: /^Export \d/ }).click(),
      ]);
      await page.getByText('Exported 1 request').waitFor();
      expect(download.suggestedFilename()).toMatch(/^sluice-logs-\d{4}-\d\d-\d\d\.(csv|jsonl)$/);
      const text = await readFile(await download.path(), 'utf8');
      expect(text).toContain(id);
      expect(text).toContain(format === 'CSV' ? `'${formula}` : `"prompt":"${formula}"`);
    },
  );

  itAtFullSize('the request log shows a failed export', async () => {
    await ask('A row to export');
    await openLog();
    await page.route('**/admin/logs/export?*', (route) =>
      route.fulfill({ status: 503, json: { detail: 'The database is unavailable' } }),
    );
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export logs' });
    await dialog.getByRole('button', { name: /^Export \d/ }).click();
    await dialog.getByText('The database is unavailable').waitFor();
    await page.unroute('**/admin/logs/export?*');
  });

  itAtFullSize('first steps are checked off after a request', async () => {
    await ask('A first request');
    await page.goto('/admin');
    await page.getByRole('heading', { name: /Send a request through the gateway.*done/ }).waitFor();
  });
});

it('the log and its drawer are accessible at every width, light and dark', async () => {
  const looks = looksAt([1920, 1440, 1280, 390]);
  await ask('Is this readable?');
  await openLog();
  const id = await awaitLogged('Is this readable?');
  await expectGoodLooks(page, 'log-rows', looks);
  await openLog(`/admin/logs?open=${id}`);
  await details().getByRole('region', { name: 'Response' }).waitFor();
  await expectGoodLooks(page, 'log-drawer', looks);
  await details().getByText('Full request').click();
  await details().getByRole('region', { name: 'Full request' }).scrollIntoViewIfNeeded();
  await expectGoodLooks(page, 'log-whole-request', looks);
});
