import type { Page } from 'playwright-core';
import { blacklistAddresses, describeEntry, openBlacklist } from './blacklist-page.ts';
import { shareConsole } from './console.ts';
import { describeLooks, type State } from './looks.ts';
import { chooseOption } from './select-field.ts';
import { answer, hold } from './users-page.ts';

const entries = [
  describeEntry(1, 'openai', 'gpt-4*', { description: 'gpt-5-mini does the same for a tenth' }),
  describeEntry(2, 'openai', '{o1,o1-mini,o3,o3-mini,o4-mini,gpt-5-pro}', {
    created_at: '2026-10-12T09:00:00.000Z',
  }),
  describeEntry(3, 'deepseek', null, {
    reason: 'Compliance requirements',
    description: 'Until legal has looked at where the data goes',
  }),
  describeEntry(4, 'anthropic', 'claude-opus-*', {
    reason: 'Rate limiting',
    blocked_by_user_name: null,
    created_at: '2026-09-02T09:00:00.000Z',
  }),
];
const summary = {
  total_entries: 4,
  providers_affected: ['openai', 'deepseek', 'anthropic'],
  complete_provider_blocks: ['deepseek'],
  model_specific_blocks: ['openai: gpt-4*', 'openai: {o1,o1-mini}', 'anthropic: claude-opus-*'],
};
const models = [
  { provider_key: 'openai', enabled_models: ['gpt-5', 'gpt-5-mini', 'gpt-5-nano', 'gpt-4o', 'o4-mini'] },
];

shareConsole();

async function withEntries(page: Page) {
  await page.route(blacklistAddresses.list, answer(200, entries));
  await page.route(blacklistAddresses.summary, answer(200, { summary }));
  await page.route(blacklistAddresses.models, answer(200, models));
}

async function show(page: Page, search = '') {
  await withEntries(page);
  await openBlacklist(page, search);
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

async function openAdding(page: Page) {
  await show(page);
  await press(page, 'Add to Blacklist');
  const dialog = page.getByRole('dialog', { name: 'Add to Blacklist' });
  await chooseOption(dialog, 'Provider', 'OpenAI');
  return dialog;
}

const states: State[] = [
  { name: 'list', isInEveryLook: true, show },
  { name: 'nothing-found', show: (page) => show(page, '?filter=nothing') },
  {
    name: 'add-pattern',
    isInEveryLook: true,
    show: async (page) => {
      const dialog = await openAdding(page);
      await dialog.getByText('Partial (model specific)').click();
      await dialog.getByLabel('Model pattern').fill('gpt-4*');
    },
  },
  {
    name: 'add-select',
    show: async (page) => {
      const dialog = await openAdding(page);
      await dialog.getByText('Partial (model specific)').click();
      await dialog.getByText('Select models', { exact: true }).click();
      await dialog.getByLabel('gpt-4o', { exact: true }).check();
    },
  },
  {
    name: 'add-refused',
    show: async (page) => {
      await show(page);
      await press(page, 'Add to Blacklist');
      const dialog = page.getByRole('dialog', { name: 'Add to Blacklist' });
      await dialog.getByText('Partial (model specific)').click();
      await dialog.getByRole('button', { name: 'Add to Blacklist' }).click();
      await dialog.getByText('Model pattern is required for partial blocking').waitFor();
    },
  },
  {
    name: 'check',
    isInEveryLook: true,
    show: async (page) => {
      await page.route(
        blacklistAddresses.check,
        answer(200, {
          is_blacklisted: true,
          provider_key: 'openai',
          model_name: 'gpt-4o',
          reason: 'Cost management',
        }),
      );
      await show(page);
      await press(page, 'Check Status');
      const dialog = page.getByRole('dialog', { name: 'Check Status' });
      await chooseOption(dialog, 'Provider', 'OpenAI');
      await dialog.getByRole('combobox', { name: 'Model name' }).fill('gpt-4o');
      await page.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'Check Status' }).click();
      await dialog.getByText('Reason: Cost management').waitFor();
    },
  },
  {
    name: 'remove',
    show: async (page) => {
      await show(page);
      await press(page, 'Remove: deepseek');
      await page.getByText('Are you sure you want to remove this blacklist entry?').waitFor();
    },
  },
  {
    name: 'loading',
    show: async (page) => {
      await withEntries(page);
      await hold(page, blacklistAddresses.list);
      await page.goto('/admin/blacklist');
      await page.getByText('Loading blacklist...').waitFor();
    },
  },
  {
    name: 'failure',
    show: async (page) => {
      await withEntries(page);
      await page.route(blacklistAddresses.list, answer(500, { detail: 'The database is unavailable' }));
      await page.goto('/admin/blacklist');
      await page.locator('#content').getByText('The database is unavailable').waitFor();
    },
  },
  {
    name: 'none-yet',
    show: async (page) => {
      await openBlacklist(page);
      await page.getByText('Nothing is blacklisted').waitFor();
    },
  },
];

describeLooks('Blacklist', 'blacklist', states);
