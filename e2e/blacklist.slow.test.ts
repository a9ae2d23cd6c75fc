import { blacklistRoutes, createClient } from '@sluice/contract';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { blacklistAddresses, describeEntry, openBlacklist } from './blacklist-page.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { chooseOption } from './select-field.ts';
import { answer } from './users-page.ts';

const viewport = { width: 1440, height: 820 };

let calls: ReturnType<typeof createClient<typeof blacklistRoutes>>;

startConsole();
beforeAll(async () => {
  const headers = () => ({ authorization: `Bearer ${token}` });
  calls = createClient(blacklistRoutes, { baseUrl: sluice.url, headers });
});

visitConsole({ viewport });
beforeEach(async () => {
  for (const { id } of await calls.listBlacklist()) await calls.removeBlacklistEntry({ params: { id } });
});

const dialog = (name: string) => page.getByRole('dialog', { name });
const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
const row = (text: string) => page.locator('tr[data-row]').filter({ hasText: text });
const figures = () =>
  page.getByRole('region', { name: 'Blacklist statistics' }).locator('dd').allInnerTexts();

async function openAdding() {
  await openBlacklist(page);
  await page.getByRole('button', { name: 'Add to Blacklist' }).first().click();
  const form = dialog('Add to Blacklist');
  await form.waitFor();
  return { form, send: () => form.getByRole('button', { name: 'Add to Blacklist' }).click() };
}

const added = () => page.getByText('Provider/model added to blacklist successfully').waitFor();

describe('adding to the blacklist', () => {
  itAtFullSize('the blacklist form names missing fields', async () => {
    const { form, send } = await openAdding();
    await send();
    const words = form.getByText('Provider key and reason are required', { exact: true });
    await expect.poll(() => words.count()).toBe(2);
    await form.getByText('Partial (model specific)').click();
    await send();
    await form.getByText('Model pattern is required for partial blocking', { exact: true }).waitFor();
    await form.getByText('Select models', { exact: true }).click();
    await send();
    await form.getByText('Please select at least one model to blacklist', { exact: true }).waitFor();
  });

  it('the blacklist form blocks a whole provider, with a reason and a description', async () => {
    const { form, send } = await openAdding();
    await chooseOption(form, 'Provider', 'Other');
    await form.getByLabel('Provider key').fill('  acme ');
    await chooseOption(form, 'Reason', 'Custom reason');
    await form.getByLabel('Custom reason').fill(' Not ours ');
    await form.getByLabel('Description (optional)').fill('See the wiki');
    await send();
    await added();
    await row('acme').waitFor();
    const cells = await row('acme').getByRole('cell').allInnerTexts();
    expect(cells.slice(1, 5).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'All models',
      'Complete',
      'Not ours See the wiki',
      'Administrator',
    ]);
    await expect.poll(figures).toEqual(['1', '1', '1', '0']);
    expect(await calls.listBlacklist()).toMatchObject([
      { provider_key: 'acme', model_pattern: null, reason: 'Not ours', description: 'See the wiki' },
    ]);
  });

  itAtFullSize(
    'the blacklist form blocks models by pattern, and explains why a pattern is invalid',
    async () => {
      const { form, send } = await openAdding();
      await chooseOption(form, 'Provider', 'OpenAI');
      await form.getByText('Partial (model specific)').click();
      await form.getByLabel('Model pattern').fill('gpt-{4,5}');
      await chooseOption(form, 'Reason', 'Cost management');
      await send();
      await form.getByText(/Braces must enclose the whole pattern/).waitFor();
      await form.getByLabel('Model pattern').fill('gpt-4*');
      await send();
      await added();
      await row('gpt-4*').waitFor();
      await expect.poll(figures).toEqual(['1', '1', '0', '1']);
    },
  );

  itAtFullSize(
    'the blacklist form blocks selected models, and clears the selection when the provider or type changes',
    async () => {
      const { form, send } = await openAdding();
      await chooseOption(form, 'Provider', 'Sandbox');
      await form.getByText('Partial (model specific)').click();
      await form.getByLabel('Model pattern').fill('x*');
      await form.getByText('Complete (whole provider)').click();
      await form.getByText('Partial (model specific)').click();
      expect(await form.getByLabel('Model pattern').inputValue()).toBe('');
      await form.getByText('Select models', { exact: true }).click();
      await form.getByLabel('sandbox-slow', { exact: true }).check();
      await chooseOption(form, 'Provider', 'OpenAI');
      await form.getByText('No models are enabled for this provider').waitFor();
      await chooseOption(form, 'Provider', 'Sandbox');
      await form.getByText(/^Selected: 0 of/).waitFor();
      await form.getByLabel('sandbox-slow', { exact: true }).check();
      await form.getByLabel('sandbox-echo', { exact: true }).check();
      await chooseOption(form, 'Reason', 'Performance issues');
      await send();
      await added();
      const [entry] = await calls.listBlacklist();
      expect(entry?.model_pattern).toBe('{sandbox-echo,sandbox-slow}');
    },
  );

  itAtFullSize('the blacklist form shows the error of the server, or a fallback message', async () => {
    await calls.addBlacklistEntry({ body: { provider_key: 'openai', reason: 'Data privacy' } });
    const { form, send } = await openAdding();
    await chooseOption(form, 'Provider', 'OpenAI');
    await chooseOption(form, 'Reason', 'Data privacy');
    await send();
    await form.getByRole('alert').getByText('This entry is already on the blacklist').waitFor();
    await page.route(blacklistAddresses.list, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.fallback(),
    );
    await send();
    await form.getByRole('alert').getByText('Failed to add to blacklist').waitFor();
  });
});

describe('the blacklist', () => {
  itAtFullSize(
    'the blacklist can be searched and filtered by provider, and shows how many entries match',
    async () => {
      const add = (provider_key: string, reason: string, model_pattern?: string) =>
        calls.addBlacklistEntry({ body: { provider_key, reason, ...(model_pattern && { model_pattern }) } });
      await add('openai', 'Cost management', 'gpt-4*');
      await add('openai', 'Data privacy', 'o1');
      await add('deepseek', 'Compliance requirements');
      await openBlacklist(page);
      const headings = await page.getByRole('columnheader').allTextContents();
      expect(headings).toEqual([
        'Provider',
        'Model Pattern',
        'Block Type',
        'Reason',
        'Blocked By',
        'Date',
        'Actions',
      ]);
      await page.getByText('Showing 3 of 3 entries').waitFor();
      await chooseOption(page, 'Provider', 'OpenAI');
      await page.getByText('Showing 2 of 3 entries').waitFor();
      await page.getByLabel('Search the blacklist').fill('GPT');
      await page.getByText('Showing 1 of 3 entries').waitFor();
      await page.reload();
      await page.getByText('Showing 1 of 3 entries').waitFor();
      await page.getByLabel('Search the blacklist').fill('nothing like it');
      await page.getByText('No entries found').waitFor();
      await press('Show all entries');
      await page.getByText('Showing 3 of 3 entries').waitFor();
      await expect.poll(figures).toEqual(['3', '2', '1', '2']);
    },
  );

  it('the blacklist removes an entry after a confirmation, and restores the entry if the removal fails', async () => {
    await calls.addBlacklistEntry({ body: { provider_key: 'openai', reason: 'Data privacy' } });
    await openBlacklist(page);
    const question = dialog('Remove from Blacklist');
    await page.route(blacklistAddresses.entry, (route) =>
      route.request().method() === 'DELETE' ? route.abort() : route.fallback(),
    );
    await press('Remove: openai');
    await question.getByText('Are you sure you want to remove this blacklist entry?').waitFor();
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('alert').getByText('Failed to remove blacklist entry').waitFor();
    await row('OpenAI').waitFor();
    await page.unroute(blacklistAddresses.entry);
    await press('Remove: openai');
    await question.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Blacklist entry removed successfully').waitFor();
    await page.getByText('Nothing is blacklisted').waitFor();
    expect(await calls.listBlacklist()).toEqual([]);
  });

  itAtFullSize('the blacklist shows a fallback message if the server is unreachable', async () => {
    await page.route(blacklistAddresses.list, (route) => route.abort());
    await page.goto('/admin/blacklist');
    await page.getByRole('alert').getByText('Failed to load blacklist data').first().waitFor();
  });

  itAtFullSize("the blacklist shows 'Unknown' for deleted users", async () => {
    await page.route(
      blacklistAddresses.list,
      answer(200, [describeEntry(1, 'openai', null, { blocked_by_user_name: null })]),
    );
    await openBlacklist(page);
    await row('OpenAI').getByText('Unknown', { exact: true }).waitFor();
  });

  itAtFullSize('the blacklist shows why loading failed, and loads after a retry', async () => {
    await page.route(blacklistAddresses.list, answer(500, { detail: 'The database is unavailable' }));
    await page.goto('/admin/blacklist');
    await page.getByRole('alert').getByText('The database is unavailable').first().waitFor();
    await page.unroute(blacklistAddresses.list);
    await press('Try Again');
    await page.getByText('Nothing is blacklisted').waitFor();
  });
});

describe('checking a model', () => {
  it('the model check finds a blacklisted model by its pattern, and suggests models', async () => {
    await calls.addBlacklistEntry({
      body: { provider_key: 'openai', model_pattern: 'gpt-4*', reason: 'Cost management' },
    });
    await openBlacklist(page);
    await press('Check Status');
    const form = dialog('Check Status');
    const send = form.getByRole('button', { name: 'Check Status' });
    await send.click();
    const words = form.getByText('Both provider key and model name are required', { exact: true });
    await expect.poll(() => words.count()).toBe(2);
    await chooseOption(form, 'Provider', 'OpenAI');
    const model = form.getByRole('combobox', { name: 'Model name' });
    await model.fill('4o-m');
    await page.getByRole('option', { name: 'gpt-4o-mini' }).click();
    await send.click();
    await form.getByText('openai/gpt-4o-mini is blacklisted').waitFor();
    await form.getByText('Reason: Cost management').waitFor();
    await model.fill('o3');
    await page.keyboard.press('Escape');
    await send.click();
    await form.getByText('openai/o3 is not blacklisted').waitFor();
  });

  itAtFullSize('the model check reports a failure', async () => {
    await openBlacklist(page);
    await page.route(blacklistAddresses.check, (route) => route.abort());
    await press('Check Status');
    const form = dialog('Check Status');
    await chooseOption(form, 'Provider', 'OpenAI');
    await form.getByRole('combobox', { name: 'Model name' }).fill('o3');
    await page.keyboard.press('Escape');
    await form.getByRole('button', { name: 'Check Status' }).click();
    await form.getByRole('alert').getByText('Failed to check blacklist status').waitFor();
  });

  itAtFullSize(
    'the model check accepts a typed provider key when the provider list cannot be loaded',
    async () => {
      await page.route('**/api/v1/provider-registry', answer(500, { detail: 'The registry is unavailable' }));
      await openBlacklist(page);
      await press('Check Status');
      await page.getByRole('alert').getByText('The registry is unavailable').waitFor();
      await dialog('Check Status').getByLabel('Provider key').fill('openai');
    },
  );
});
