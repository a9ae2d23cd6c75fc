import { analyticsRoutes, createClient } from '@sluice/contract';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { fakeAnalytics, loadCharts, openAnalytics, panel } from './analytics-page.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { hold } from './users-page.ts';

startConsole();

const asked = 3;

beforeAll(async () => {
  const ask = (model: string) =>
    fetch(`${sluice.url}/api/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sluice.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        messages: [{ role: 'user', content: 'Write a unit test for the parser of this module, please' }],
      }),
    }).then((response) => response.text());
  for (let count = 0; count < asked; count++) await ask('sandbox-normal');
  // Rejected request, which no figure may count.
  await ask('no-such-model');
  const headers = () => ({ authorization: `Bearer ${token}` });
  const analytics = createClient(analyticsRoutes, { baseUrl: sluice.url, headers });
  await vi.waitFor(async () => {
    const usage = await analytics.getUsageFigures({ query: {} });
    expect(usage.total_requests).toBe(asked);
  }, 30_000);
});

visitConsole({ viewport: { width: 1440, height: 820 }, reducedMotion: 'reduce' });

const figure = (label: string) =>
  page.getByRole('region', { name: 'Usage' }).locator('div', { hasText: label });
const logRows = () => page.getByRole('table', { name: 'Requests' }).locator('tr[data-row]');
const awaitRows = (count: number) => expect.poll(() => logRows().count(), { timeout: 10_000 }).toBe(count);

describe('analytics figures', () => {
  it('analytics figures cover the last 30 days, and the number of requests links to its log rows', async () => {
    await openAnalytics(page);
    expect(await page.getByRole('radio', { name: '30 days' }).isChecked()).toBe(true);
    await figure('Total Requests')
      .getByRole('link', { name: String(asked), exact: true })
      .click();
    await page.waitForURL(/\/admin\/logs\?.*status=admitted/);
    await awaitRows(asked);
    await page.goBack();
    await page.waitForURL(/\/admin\/analytics$/);
    await figure('Active Users').getByRole('link', { name: '1', exact: true }).waitFor();
  });

  itAtFullSize('analytics figures show the change from the previous period', async () => {
    await fakeAnalytics(page);
    await openAnalytics(page);
    await figure('Total Requests').getByText('8.1% more than in the previous 30 days').waitFor();
    await figure('Total Tokens').getByText('2.0% less than in the previous 30 days').waitFor();
    await figure('Active Users').getByText('Same as the previous 30 days').waitFor();
  });

  itAtFullSize('analytics figures show a loading text', async () => {
    const letGo = await hold(page, '**/api/v1/admin/analytics/usage?*');
    await page.goto('/admin/analytics');
    await page.getByText('Loading analytics').waitFor();
    letGo();
    await page.getByText('Loading analytics').waitFor({ state: 'detached' });
  });
});

describe('analytics date range', () => {
  itAtFullSize(
    'the analytics date range is set by preset or dates, is stored in the URL, and cannot be reversed',
    async () => {
      await openAnalytics(page);
      await page.getByText('7 days', { exact: true }).click();
      await page.waitForURL(/days=7/);
      await figure('Total Requests').getByText('None in the previous 7 days').waitFor();
      const [start, end] = [page.getByLabel('Start Date'), page.getByLabel('End Date')];
      await start.fill('2026-01-05');
      await end.fill('2026-01-04');
      await page.waitForURL(/start=2026-01-05.*end=2026-01-04/);
      await page.getByText('The end date must not be before the start date').waitFor();
      expect(await panel(page, 'Token Usage Over Time').count()).toBe(0);
      await end.fill('2026-01-06');
      await loadCharts(page);
      for (const text of [
        'No data available for the selected period',
        'No intent data available',
        'No model usage data available',
        'No spend data available',
        'No user data available',
        'No API key usage data available',
      ])
        await page.getByText(text).first().waitFor();
      await page.getByText('30 days', { exact: true }).click();
      await panel(page, 'Top Models Used').getByText('sandbox-normal').waitFor();
      await page.goBack();
      await page.getByText('No spend data available').waitFor();
    },
  );

  it('analytics of a user without requests show no data', async () => {
    await openAnalytics(page, '?user=999');
    await panel(page, 'Top Models Used').getByText('No model usage data available').waitFor();
  });
});

describe('analytics chart', () => {
  it('an analytics chart below the visible area loads its data when it is scrolled into view', async () => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.goto('/admin/analytics');
    await panel(page, 'Top Models Used').getByText('sandbox-normal').waitFor();
    await page.waitForLoadState('networkidle');
    const loads = () => requested.filter((path) => path.endsWith('/analytics/spend-by-provider')).length;
    expect(loads()).toBe(0);
    await panel(page, 'Spend by Provider').scrollIntoViewIfNeeded();
    await panel(page, 'Spend by Provider').getByText('in total').waitFor();
    expect(loads()).toBe(1);
  });

  itAtFullSize('an analytics chart has a table whose names link to log rows', async () => {
    await openAnalytics(page);
    const models = panel(page, 'Top Models Used');
    await models.getByRole('button', { name: 'Show Top Models Used as a table' }).click();
    expect(await models.getByRole('columnheader').allInnerTexts()).toEqual([
      'Model',
      'Requests',
      'Tokens',
      'Cost',
      'Users',
      'Share',
    ]);
    await models.getByRole('link', { name: 'sandbox-normal' }).click();
    await page.waitForURL(/model=sandbox-normal/);
    await awaitRows(asked);
    await expect.poll(() => page.getByLabel('Provider', { exact: true }).inputValue()).toBe('Sandbox');
  });

  itAtFullSize('an analytics chart links to log rows from its legend and from a bar', async () => {
    await openAnalytics(page);
    await panel(page, 'Intent Classification Distribution').getByRole('link').first().click();
    await page.waitForURL(/intent=/);
    await awaitRows(asked);
    await page.goBack();
    await loadCharts(page);
    const keys = panel(page, 'Top API Keys Usage');
    const bar = keys.locator('.recharts-bar-rectangle').first();
    await bar.hover();
    await keys.getByText('Last Used').waitFor();
    await bar.click();
    await page.waitForURL(/key=true/);
    await page.getByRole('button', { name: 'Remove the filter With an API key' }).waitFor();
    await awaitRows(asked);
  });

  itAtFullSize('an analytics chart can be read with the arrow keys', async () => {
    await fakeAnalytics(page);
    await openAnalytics(page);
    const tokens = panel(page, 'Token Usage Over Time');
    await tokens.getByRole('application').focus();
    await page.keyboard.press('ArrowRight');
    await tokens.getByText(/^[\d,]+ tokens$/).waitFor();
    await tokens.getByText(/^\w+day, \w{3} \d+, 2026$/).waitFor();
  });
});
