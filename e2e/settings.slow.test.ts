import { createClient, settingsRoutes } from '@sluice/contract';
import { beforeEach, describe, expect, it } from 'vitest';
import { itAtFullSize } from '../server/test/load/sample.ts';
import { page, sluice, startConsole, token, visitConsole } from './console.ts';
import { chooseOption } from './select-field.ts';

startConsole();

visitConsole();
beforeEach(async () => {
  await settings().updateSettings({ body: { name: 'Default', time_zone: 'UTC', ...standard } });
  await page.goto('/admin/settings');
  await name().waitFor();
});

const standard = {
  prompt_privacy: 'full',
  retention_days: 400,
  body_retention_days: 90,
  usage_retention_days: 3650,
  max_output_tokens: null,
  trusted_models: [] as string[],
  markup_percentage: 20,
} as const;
const field = (label: string) => page.getByRole('textbox', { name: label, exact: true });
const deleted = () => page.getByRole('status', { name: 'Deletion preview' });

const name = () => page.getByRole('textbox', { name: 'Name', exact: true });
const zone = () => page.getByRole('combobox', { name: 'Time zone' });
const save = () => page.getByRole('button', { name: 'Save changes' });
const question = () => page.getByRole('dialog', { name: 'Discard changes?' });

const settings = () =>
  createClient(settingsRoutes, {
    baseUrl: sluice.url,
    headers: () => ({ authorization: `Bearer ${token}` }),
  });
const readSettings = () => settings().getSettings();

describe("the tenant's settings", () => {
  it('tenant settings are saved, and the new tenant name appears on the overview', async () => {
    await expect.poll(() => save().isDisabled()).toBe(true);
    await name().fill('Northwind');
    await zone().fill('new york');
    await page.getByRole('option', { name: /America\/New York.*UTC-0[45]:00/ }).click();
    await page.getByText(/^It is .* in this zone now/).waitFor();
    await save().click();
    await page.getByText('Settings saved').waitFor();
    expect(await readSettings()).toMatchObject({ name: 'Northwind', time_zone: 'America/New_York' });
    await expect.poll(() => save().isDisabled()).toBe(true);

    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('You administer the tenant Northwind.').waitFor();
  });

  itAtFullSize('tenant settings show that they are being saved', async () => {
    let answer = () => {};
    const isAsked = new Promise<void>((resolve) => {
      void page.route('**/api/v1/admin/settings', async (route) => {
        if (route.request().method() !== 'PUT') return route.continue();
        resolve();
        await new Promise<void>((go) => {
          answer = go;
        });
        await route.continue();
      });
    });
    await name().fill('Slow');
    await save().click();
    await isAsked;
    await page.getByRole('button', { name: 'Saving...', disabled: true }).waitFor();
    answer();
    await page.getByText('Settings saved').waitFor();
  });

  itAtFullSize('tenant settings show validation errors and server errors at the field', async () => {
    await name().fill(' ');
    await page.getByText('Name is required').waitFor();
    await name().fill('Well');
    await page.route('**/api/v1/admin/settings', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({
            status: 422,
            json: {
              detail: [{ loc: ['body', 'time_zone'], msg: 'The database does not know it', type: 'x' }],
            },
          })
        : route.continue(),
    );
    await save().click();
    await page.getByText('The database does not know it').waitFor();
    expect(await name().inputValue()).toBe('Well');
  });

  itAtFullSize(
    'tenant settings with unsaved changes ask for confirmation before leaving the page',
    async () => {
      await name().fill('Half done');
      await page.getByRole('link', { name: 'Users' }).click();
      await question().getByRole('button', { name: 'Keep editing' }).click();
      await question().waitFor({ state: 'detached' });
      expect(new URL(page.url()).pathname).toBe('/admin/settings');
      expect(await name().inputValue()).toBe('Half done');

      await page.getByRole('link', { name: 'Users' }).click();
      await question().getByRole('button', { name: 'Discard' }).click();
      await page.waitForURL('/admin/users');
      expect((await readSettings()).name).not.toBe('Half done');
    },
  );

  itAtFullSize('tenant settings can be left without a confirmation after changes are reverted', async () => {
    const former = await name().inputValue();
    await name().fill('Other');
    await name().fill(former);
    await page.getByRole('link', { name: 'Users' }).click();
    await page.waitForURL('/admin/users');
  });

  it('tenant settings include prompt storage, retention and response limits, and are saved together', async () => {
    await chooseOption(page, 'Stored content', 'Figures only');
    await page.getByText('Prompts, answers and error texts are not stored').waitFor();
    await field('Log rows').fill('60');
    await field('Prompts and answers').fill('7');
    await field('Usage figures').fill('500');
    await field('Longest answer').fill('1000');
    await field('Trusted models for uncertain prompts').fill('gpt-4o*\nclaude-sonnet');
    await field('Markup').fill('12.5');
    await save().click();
    await page.getByText('Settings saved').waitFor();
    expect(await readSettings()).toMatchObject({
      prompt_privacy: 'metadata',
      retention_days: 60,
      body_retention_days: 7,
      usage_retention_days: 500,
      max_output_tokens: 1000,
      trusted_models: ['gpt-4o*', 'claude-sonnet'],
      markup_percentage: 12.5,
    });
    await page.reload();
    await expect.poll(() => field('Longest answer').inputValue()).toBe('1,000');
    expect(await field('Trusted models for uncertain prompts').inputValue()).toBe('gpt-4o*\nclaude-sonnet');
  });

  itAtFullSize(
    'tenant settings show before saving what a new retention deletes, and reject invalid values',
    async () => {
      await deleted()
        .getByText(/^No log row is older than 400 days/)
        .waitFor();
      await field('Log rows').fill('30');
      await page.getByText('Prompts and answers cannot be kept longer than their log rows').waitFor();
      await field('Prompts and answers').fill('30');
      await deleted()
        .getByText(/older than 30 days.*Next run: .*2:11:00 AM UTC/)
        .waitFor();
      await field('Log rows').fill('0');
      await page.getByText('Log rows must be at least 1 day').waitFor();
      await field('Log rows').fill('');
      await page.getByText('Log rows must be a whole number of days').waitFor();
      await field('Usage figures').fill('399');
      await page.getByText('Usage figures must be at least 400 days').waitFor();
      await field('Usage figures').fill('3651');
      await page.getByText('Usage figures must be at most 3,650 days').waitFor();
      await save().click();
      expect(await readSettings()).toMatchObject(standard);
    },
  );
});
